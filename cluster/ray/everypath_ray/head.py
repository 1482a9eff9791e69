"""The actor that runs the coordinator, and brings it its workers."""

import asyncio
import contextlib
import ctypes
import os
import shutil
import signal
import tempfile

import ray

from . import frames
from .worker import Worker


@ray.remote(num_cpus=0, max_restarts=0)
class Head:
    """Runs `everypath run` on this node; its workers are actors anywhere.

    The output directory is the coordinator's, and has the files of any run. If this actor
    is lost, the journal in that directory says what is open, and another head resumes it.
    """

    async def run(self, binary: str, words: list[str], directory: str, workers: int):
        """Runs the command; yields what it prints, as (descriptor, bytes), then its status."""
        self.binary = binary
        self.begin = None
        scratch = tempfile.mkdtemp(prefix="everypath-ray-")
        socket = os.path.join(scratch, "workers")
        server = await asyncio.start_unix_server(self._serve, socket, limit=1 << 30)
        try:
            process = await asyncio.create_subprocess_exec(
                binary, "run", "--workers", str(workers), "--worker-socket", socket, *words,
                cwd=directory,
                preexec_fn=_die_with_parent,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            self.process = process
            async for said in _output(process):
                yield said
            yield (0, str(await process.wait()).encode())
        finally:
            server.close()
            shutil.rmtree(scratch, ignore_errors=True)

    async def interrupt(self) -> None:
        """Ends the run as Ctrl-C does."""
        with contextlib.suppress(AttributeError, ProcessLookupError):
            self.process.send_signal(signal.SIGINT)

    async def _serve(self, reader, writer) -> None:
        """Passes on what the coordinator and one worker say, until either is gone."""
        worker = None
        try:
            begin = await frames.read_async(reader)
            if self.begin is None:
                # The program and its options go to the object store once, for all nodes.
                self.begin = ray.put(begin)
            worker = Worker.remote(self.binary, self.begin)
            await _write(writer, await worker.begin.remote())
            await self._pass_on(reader, writer, worker)
        except (asyncio.IncompleteReadError, ConnectionError, ray.exceptions.RayError):
            # The coordinator is gone, or it will see that the worker is.
            pass
        finally:
            writer.close()
            if worker is not None:
                ray.kill(worker)

    async def _pass_on(self, reader, writer, worker) -> None:
        work = None
        message = asyncio.ensure_future(frames.read_async(reader))
        while True:
            waits = {message} if work is None else {message, work}
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if work in done:
                work.result()
                work = None
            if message in done:
                body = message.result()
                message = asyncio.ensure_future(frames.read_async(reader))
                if frames.kind(body) == "Work":
                    work = asyncio.ensure_future(_work(worker, body, writer))
                else:
                    await worker.tell.remote(body)


def _die_with_parent() -> None:
    """Lets the kernel kill the coordinator with this actor, so that another can resume."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


async def _work(worker, body: bytes, writer) -> None:
    """A task of the actor: some ranges, and what comes of them."""
    said = worker.work.options(num_returns="streaming").remote(body)
    async for reference in said:
        await _write(writer, await reference)


async def _write(writer, body: bytes) -> None:
    writer.write(frames.pack(body))
    await writer.drain()


async def _output(process):
    """What a process prints, as it comes."""
    queue: asyncio.Queue = asyncio.Queue()

    async def read(descriptor, stream):
        while chunk := await stream.read(1 << 16):
            await queue.put((descriptor, chunk))
        await queue.put(None)

    readers = [
        asyncio.ensure_future(read(1, process.stdout)),
        asyncio.ensure_future(read(2, process.stderr)),
    ]
    open_streams = len(readers)
    while open_streams:
        said = await queue.get()
        if said is None:
            open_streams -= 1
        else:
            yield said
