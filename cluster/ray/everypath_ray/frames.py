"""The frames of Everypath's protocol: a length in four bytes, then MessagePack."""

import struct

import msgpack

_LENGTH = struct.Struct("<I")


def pack(body: bytes) -> bytes:
    """The frame of a message."""
    return _LENGTH.pack(len(body)) + body


def read(stream) -> bytes | None:
    """The next message of a file object; none at its end."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


async def read_async(reader) -> bytes:
    """The same of an asyncio reader, which raises IncompleteReadError at the end."""
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    return await reader.readexactly(length)


def kind(body: bytes) -> str:
    """Which message it is, such as `Work`."""
    message = msgpack.unpackb(body, raw=False, strict_map_key=False)
    return message if isinstance(message, str) else next(iter(message))


def ends_work(body: bytes) -> bool:
    """Whether a worker that said this waits for work again, or ends."""
    message = msgpack.unpackb(body, raw=False, strict_map_key=False)
    if isinstance(message, str):
        return False
    if "Progress" in message:
        return message["Progress"]["next"] != "Works"
    return "Unfinished" in message or "Refused" in message
