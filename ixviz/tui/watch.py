"""Whether files have changed: by looking, so that it works on every file system and with every way of saving.

Invariant: a change is told once two looks in a row saw the same, never while somebody writes; an equal save is none.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

FRESH = 8  # looks for which the content of a file just changed is read, whatever its times say
_MOST = 2_000_000  # bytes; a file larger than this is refused anyway

Stamp = tuple[int, int, int] | None  # time of the last write (ns), size, inode; None: there is no file


class Watch:
    """Some files. The first look takes them as they are."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._files: dict[Path, _File] = {}
        self._due = False
        self.follow(paths)

    @property
    def paths(self) -> tuple[Path, ...]:
        """What is looked at."""
        return tuple(self._files)

    def follow(self, paths: Iterable[Path]) -> None:
        """Other files from now on; those that are looked at already stay as they were seen."""
        self._files = {path: self._files.get(path) or _File(path) for path in dict.fromkeys(paths)}

    def changed(self) -> bool:
        """One look. Whether any file is another than at the last change, and all have come to rest."""
        for file in self._files.values():
            self._due |= file.look()
        if not self._due or any(file.moving for file in self._files.values()):
            return False
        self._due = False
        return True


class _File:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp, self.content = _stamp(path), _content(path)  # as it was taken last
        self._seen: tuple[Stamp, bytes] | None = None  # what the last look saw, if that was something else
        self._fresh = FRESH

    @property
    def moving(self) -> bool:
        """Whether it was seen changed once and not yet the same again."""
        return self._seen is not None

    def look(self) -> bool:
        """Whether it is seen changed for the second time, the same as the first."""
        stamp = _stamp(self.path)
        if stamp == self.stamp and not self._fresh and self._seen is None:
            return False
        self._fresh = max(self._fresh - 1, 0)  # two writes may have one time, where clocks are coarse
        seen = (stamp, _content(self.path))
        if seen[1] == self.content:
            self.stamp, self._seen = stamp, None
        elif seen == self._seen:
            self.stamp, self.content = seen
            self._seen, self._fresh = None, FRESH
            return True
        else:
            self._seen = seen
        return False


def _stamp(path: Path) -> Stamp:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _content(path: Path) -> bytes:
    try:
        if not path.is_file():  # a pipe or a device would make the screen wait
            return b""
        with open(path, "rb") as file:
            return hashlib.sha256(file.read(_MOST)).digest()
    except (OSError, ValueError):
        return b""
