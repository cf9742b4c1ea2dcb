"""One file a lesson: read it, write it as a whole or not at all, put a broken one aside, one writer at a time.

Invariant: a file's name only ever stands for a whole file (temporary file, fsync, rename), and nothing is deleted here
but temporary files and what `remove` names.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ixviz.progress.record import VERSION, Record, from_json, to_json

try:
    import fcntl
except ImportError:  # no Unix: files stay whole, but two instances at once may lose an answer
    fcntl = None  # type: ignore[assignment]

_MOST_BYTES = 16_000_000  # a lesson file has 1 MB at most
_PATIENCE = 1.0  # seconds to wait for another instance; it holds the lock for milliseconds


class Broken(Exception):
    """A file that is no progress of ours."""


class Newer(Exception):
    """A file that a later version of ixviz wrote."""


def is_id(word: str) -> bool:
    """Whether a lesson can have this id: small letters, digits, hyphens."""
    return re.fullmatch(r"[a-z0-9-]+", word) is not None


def path_of(folder: Path, lesson: str) -> Path:
    """The file of a lesson. ValueError for an id that no lesson can have."""
    if not is_id(lesson):
        raise ValueError(lesson)
    return folder / f"{lesson}.json"


def read(path: Path) -> Record | None:
    """What a file holds; None when there is none. Raises Broken, Newer, or OSError when it cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno in (errno.ENXIO, errno.ELOOP, errno.EISDIR):
            raise Broken from None
        raise
    with os.fdopen(fd, "rb") if stat.S_ISREG(os.fstat(fd).st_mode) else _closed(fd) as file:
        content = file.read(_MOST_BYTES + 1)
    try:
        if len(content) > _MOST_BYTES:
            raise ValueError("too long")
        data = json.loads(content)
        version = data["version"]
        if type(version) is not int or version < 1:
            raise ValueError("no version")
        if version > VERSION:
            raise Newer
        return from_json(data)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Broken from None


def _closed(fd: int) -> Any:
    os.close(fd)
    raise Broken


def write(path: Path, record: Record) -> None:
    """Writes the file as a whole. OSError when that cannot be done; then the old one is still there."""
    content = json.dumps(to_json(path.stem, record), indent=1).encode() + b"\n"
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    fd = os.open(temporary, flags, 0o600)
    try:
        try:
            left = memoryview(content)
            while left:
                left = left[os.write(fd, left) :]
            os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """The rename itself to the disk, where a folder can be opened for that."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def put_aside(path: Path) -> Path:
    """Renames a broken file to the first free `….broken-N`; the new name. OSError."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.broken-{number}")):
        number += 1
    os.rename(path, aside)
    return aside


def remove(path: Path) -> bool:
    """Removes a lesson's file; False when there was none. OSError."""
    try:
        os.unlink(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    _sync(path.parent)
    return True


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Makes the folder and holds its lock. OSError when it cannot be made or another instance does not let go.

    A file system without locks is written to without one.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        end = time.monotonic() + _PATIENCE
        while fcntl is not None:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                    break
                if time.monotonic() > end:
                    raise OSError(errno.EAGAIN, "another ixviz holds the folder", str(folder)) from None
            time.sleep(0.005)
        yield
    finally:
        os.close(fd)


def sweep(folder: Path) -> None:
    """Removes temporary files that a killed instance left. Only under the lock."""
    with contextlib.suppress(OSError):
        for left in folder.glob(".*.json.*.tmp"):
            left.unlink()
