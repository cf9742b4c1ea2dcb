"""How the notes view follows a presenter: JSON lines over a socket of this machine, found through a file with a token.

Invariant: the presenter listens on 127.0.0.1 alone, sends to whoever knows the token, reads nothing else, waits for
nobody; a follower takes whatever comes as bytes that may mean nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
MOST_FOLLOWERS = 16
HELLO_SECONDS = 3.0  # in which a follower must have said the token
BEAT_SECONDS = 2.0  # the last line is said again so often: a sign of life
GONE_SECONDS = 8.0  # without a line the presenter is gone
AGAIN_SECONDS = 0.5  # between two looks for a presenter
_HELLO = 256  # bytes
_LINE = 65_536  # bytes
_BEHIND = 262_144  # bytes a follower may be behind before it is dropped


def address_file(folder: Path, lesson: str) -> Path:
    """The file in which a presenter of a lesson (its id) leaves port and token."""
    return folder / f"present-{lesson}.json"


class Speaker:
    """The presenter's side: `open`, then `say` what is shown as often as it changes, then `close`."""

    def __init__(self, folder: Path | None, lesson: str) -> None:
        self.path = address_file(folder, lesson) if folder is not None else None
        self.token = secrets.token_hex(16)
        self.followers: set[asyncio.StreamWriter] = set()
        self.port = 0
        self._server: asyncio.Server | None = None
        self._line = b""
        self._beat: asyncio.Task[None] | None = None
        self._open = 0

    async def open(self) -> None:
        """Begin to listen and leave the address. OSError when that cannot be done; then nothing is left behind."""
        if self.path is None:
            raise OSError("there is no folder for its address; IXVIZ_STATE can name one")
        self._server = await asyncio.start_server(self._follower, HOST, 0, limit=_HELLO)
        self.port = self._server.sockets[0].getsockname()[1]
        try:
            write_address(self.path, self.port, self.token)
        except OSError:
            await self.close()
            raise
        self._beat = asyncio.ensure_future(self._beats())

    def say(self, message: dict[str, Any]) -> None:
        """Tell all followers, if this is anything new. Never waits."""
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        if line != self._line:
            self._line = line
            self._send()

    def _send(self) -> None:
        for writer in list(self.followers):
            if writer.transport.get_write_buffer_size() > _BEHIND:
                self._drop(writer)
            elif self._line:
                writer.write(self._line)

    async def close(self) -> None:
        """Stop listening, and take the file away if it is still ours."""
        if self._beat is not None:
            self._beat.cancel()
        for writer in list(self.followers):
            self._drop(writer)
        if self._server is not None:
            self._server.close()
        self.forget()

    def forget(self) -> None:
        """Take the file away if it is still ours; twice does no harm."""
        if self.path is not None:
            remove_address(self.path, self.token)

    def _drop(self, writer: asyncio.StreamWriter) -> None:
        self.followers.discard(writer)
        writer.transport.abort()

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if self.path is not None and not self.path.exists():  # another presenter of this lesson has ended
                with contextlib.suppress(OSError):
                    write_address(self.path, self.port, self.token)
            self._send()

    async def _follower(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: the token, then nothing more is to come; whatever comes ends it."""
        self._open += 1
        try:
            if self._open > 2 * MOST_FOLLOWERS:
                return
            said = await asyncio.wait_for(reader.readline(), HELLO_SECONDS)
            known = hmac.compare_digest(said.strip(), self.token.encode())
            if not known or len(self.followers) >= MOST_FOLLOWERS:
                return
            self.followers.add(writer)
            if self._line:
                writer.write(self._line)
            await reader.read(1)
        except (OSError, ValueError, TimeoutError):
            pass  # too long a line, a reset, silence: it is dropped
        finally:
            self._open -= 1
            self._drop(writer)


def write_address(path: Path, port: int, token: str) -> None:
    """Leave port and token, readable by the owner only, whole or not at all. OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # 0600
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            json.dump({"port": port, "token": token, "pid": os.getpid()}, file)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def read_address(path: Path) -> tuple[int, str] | None:
    """Port and token of a presenter; None when there is no such file or it is none of ours."""
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(4096))
        port, token = found["port"], found["token"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    good = isinstance(port, int) and 0 < port < 65_536 and isinstance(token, str) and token.isalnum()
    return (port, token) if good and len(token) < _HELLO - 2 else None


def remove_address(path: Path, token: str) -> None:
    """Take the file away, unless another presenter has put his there since."""
    found = read_address(path)
    if found is not None and found[1] == token:
        with contextlib.suppress(OSError):
            path.unlink()


async def listen(path: Path, heard: Callable[[Any], None], gone: Callable[[str], None]) -> None:
    """Follow the presenter whose address is in `path`, for ever: `heard` gets each message, `gone` is told why there
    is none ("none": nobody presents, "stale": one did and was not ended properly, "lost": it has just gone)."""
    while True:
        address = read_address(path)
        if address is None:
            gone("none")
        elif not await _follow(*address, heard):
            gone("stale")
        else:
            gone("lost")
        await asyncio.sleep(AGAIN_SECONDS)


async def _follow(port: int, token: str, heard: Callable[[Any], None]) -> bool:
    """Hear a presenter to his end. Returns whether anything was heard."""
    heard_any = False
    writer: asyncio.StreamWriter | None = None
    try:
        try:
            reader, writer = await asyncio.wait_for(asyncio.open_connection(HOST, port, limit=_LINE), HELLO_SECONDS)
            writer.write(token.encode() + b"\n")
        except (OSError, TimeoutError):
            return False
        while (message := await _message(reader)) is not None:
            heard_any = True
            heard(message)
    finally:
        if writer is not None:
            writer.transport.abort()
    return heard_any


async def _message(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    """The next message; None at the end, after too long a silence, and for a line that is none of ours."""
    try:
        message = json.loads(await asyncio.wait_for(reader.readline(), GONE_SECONDS))
    except (OSError, ValueError, TimeoutError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
