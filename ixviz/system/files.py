"""What a scenario names and a system takes from elsewhere, a file or a plug-in: what is wrong with it, with the places.
Invariant: all mistakes of a file are told together; the scenario room turns them into messages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Mistake(NamedTuple):
    """What is wrong at a line and column, counted from 1; line 0 means the file as a whole."""

    line: int
    col: int
    message: str


class FileError(Exception):
    """What `key` of the scenario names cannot be used. `path`: its file, or what else to call it. `mistakes` is never
    empty."""

    def __init__(self, key: str, path: Path | str, mistakes: Iterable[Mistake]) -> None:
        self.key, self.path, self.mistakes = key, path, tuple(mistakes)
        super().__init__(f"{path}: {self.mistakes[0].message}")
