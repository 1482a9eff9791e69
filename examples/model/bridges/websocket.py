"""Connects standard input and output to a WebSocket: websocket.py ws://HOST:PORT/PATH.

A line is a message, in both directions. Needs nothing but Python."""
import base64, os, socket, struct, sys, threading
from urllib.parse import urlsplit


def frame(kind, payload):
    """A frame of a client, whose payload is masked."""
    mask = os.urandom(4)
    size = len(payload)
    short = size if size < 126 else 126 if size < 1 << 16 else 127
    length = {126: struct.pack(">H", size & 0xFFFF), 127: struct.pack(">Q", size)}.get(short, b"")
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes([0x80 | kind, 0x80 | short]) + length + mask + masked


def receive(stream):
    """Prints messages until the server closes."""
    message = b""
    while head := stream.read(2):
        size = head[1] & 0x7F
        if size > 125:
            size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
        payload, kind = stream.read(size), head[0] & 0x0F
        if kind == 8:
            break
        if kind == 9:
            connection.sendall(frame(10, payload))
        elif kind < 3:
            message += payload
            if head[0] & 0x80:
                sys.stdout.buffer.write(message + b"\n")
                sys.stdout.flush()
                message = b""
    os._exit(0)


url = urlsplit(sys.argv[1])
connection = socket.create_connection((url.hostname, url.port or 80))
key = base64.b64encode(os.urandom(16)).decode()
connection.sendall(
    f"GET {url.path or '/'} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\n"
    f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
)
incoming = connection.makefile("rb")
answer = incoming.readline()
if b" 101 " not in answer:
    sys.exit(f"{sys.argv[1]} is no WebSocket: {answer.decode().strip()}")
while incoming.readline().strip():
    pass
threading.Thread(target=receive, args=(incoming,), daemon=True).start()
for line in sys.stdin.buffer:
    connection.sendall(frame(1, line.rstrip(b"\n")))
connection.sendall(frame(8, b""))
