"""A class's votes: how many chose a, b, c …, a first and a second time, typed in one line or read from a file.

Invariant: counts live in memory only; a line that cannot be read changes nothing and is told in one message.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from stat import S_ISREG

from ixviz.scenario.messages import Problem, cut, did_you_mean

Counts = tuple[int, ...]
MOST = 99_999  # heads of one choice
_BYTES = 1_000_000
LETTERS = "abcdef"


def read_counts(text: str, choices: int) -> Counts:
    """`3 12 20 10 17`, one count a choice, with spaces or commas between. ValueError says what is wanted."""
    words = text.replace(",", " ").split()
    wanted = f"{choices} counts are wanted, for a to {LETTERS[choices - 1]}"
    for word in words:
        if not (word.isascii() and word.isdigit()):
            raise ValueError(f"{wanted}: whole numbers, and {cut(word, 20)} is none")
        if len(word.lstrip("0")) > len(str(MOST)) or int(word) > MOST:
            raise ValueError(f"{cut(word, 20)} is too large: at most {MOST:,} heads")
    if len(words) != choices:
        raise ValueError(f"{wanted}; {'this is' if len(words) == 1 else 'these are'} {len(words)}")
    return tuple(map(int, words))


class Votes:
    """The votes of all beats. A beat has a first and perhaps a second vote; `again` begins the second."""

    def __init__(self) -> None:
        self._of: dict[str, list[Counts]] = {}

    def of(self, beat: str) -> list[Counts]:
        """The votes of a beat, the first one first; an empty one has begun and has no counts yet."""
        return self._of.get(beat, [])

    def put(self, beat: str, counts: Counts) -> None:
        """The counts of the present vote; typed once more, they are corrected."""
        self._of[beat] = [*self.of(beat)[:-1], counts]

    def again(self, beat: str) -> bool:
        """Begin the second vote. False when there is no first one, or a second one already."""
        votes = self.of(beat)
        if len(votes) != 1:
            return False
        self._of[beat] = [votes[0], ()]
        return True

    def set(self, beat: str, votes: list[Counts]) -> None:
        """All votes of a beat at once."""
        self._of[beat] = list(votes)


def read_votes(text: str, name: str, choices: Mapping[str, int]) -> tuple[dict[str, list[Counts]], Problem | None]:
    """The votes of a file's text (a line each: `beat-id: 3 12 20 10 17`; a second line of a beat is its second vote;
    # begins a remark), and the first mistake. `choices` has the number of choices of each beat that has some."""
    found: dict[str, list[Counts]] = {}
    wrong: Problem | None = None
    for number, row in enumerate(text.splitlines(), start=1):
        line = row.partition("#")[0]
        if not line.strip():
            continue
        beat, colon, counts = line.partition(":")
        beat, col = beat.strip(), len(line) - len(line.lstrip()) + 1
        try:
            if not colon:
                raise ValueError("a line is `beat-id: 3 12 20 10 17`")
            if beat not in choices:
                known = did_you_mean(beat, choices) or "; no beat of this lesson has choices"
                raise ValueError(f"{cut(beat)} is no beat with choices{known}")
            if len(found.get(beat, ())) == 2:
                raise ValueError("this beat has two votes already")
            found.setdefault(beat, []).append(read_counts(counts, choices[beat]))
        except ValueError as error:
            wrong = wrong or Problem(name, number, col, beat if colon else "", str(error))
    return found, wrong


class VotesFile:
    """A file of votes that is read again whenever it has changed."""

    def __init__(self, path: str | os.PathLike[str], choices: Mapping[str, int]) -> None:
        self.path, self.choices = Path(path), choices
        self.problem: Problem | None = None  # the first mistake in it, as it is now
        self._read: tuple[int, int, int] | None = None
        self._seen: tuple[int, int, int] | None = None

    def first(self) -> dict[str, list[Counts]]:
        """What is in it now. OSError when it cannot be read; see `problem` for mistakes in it."""
        self._read = self._seen = self._stamp()
        return self._load()

    def changed(self) -> dict[str, list[Counts]] | None:
        """What is in it, if it has changed and rested since the last call; None else. A file that is gone is no change.

        A file that is just being written is looked at the next time, so a half of it is not read.
        """
        try:
            stamp, before = self._stamp(), self._seen
            self._seen = stamp
            if stamp == self._read or stamp != before:
                return None
            self._read = stamp
            return self._load()
        except OSError:
            return None

    def _stamp(self) -> tuple[int, int, int]:
        stat = os.stat(self.path)
        if not S_ISREG(stat.st_mode):
            raise OSError(None, "not an ordinary file")  # opening a pipe would wait for its writer
        return stat.st_mtime_ns, stat.st_size, stat.st_ino

    def _load(self) -> dict[str, list[Counts]]:
        with self.path.open("rb") as file:
            text = file.read(_BYTES).decode("utf-8", "replace")
        found, self.problem = read_votes(text.removeprefix("\ufeff"), str(self.path), self.choices)
        return found
