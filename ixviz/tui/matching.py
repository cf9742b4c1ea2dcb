"""Which events of the log a few words mean: kinds, components, the way of one that is followed.

Invariant: a match looks at what events are, never at anything after the last event that may be read.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .branch import Branch


class Match:
    """What was looked for. Raises ValueError, with what there is, for a word that means nothing."""

    def __init__(self, branch: Branch, text: str) -> None:
        self.branch = branch
        history = branch.sim.history
        self.kinds: Any = np.ones(len(history.kinds), dtype=bool)
        self.subjects: Any = None
        self.events: list[int] | None = None
        rest = text.strip().lower()
        picture = branch.picture
        one = re.search(rf"\b{picture.noun}\s*(\d+)\b", rest)
        if one:
            rest = rest.replace(one.group(), " ")
            journey = picture.journey(branch.moment, int(one.group(1)), ahead=True)
            self.events = [e for e, _, _ in journey if e <= branch.last()]
            if not self.events:
                raise ValueError(f"no {picture.noun} {int(one.group(1)):,} {picture.came}, as far as is recorded")
        rest = re.sub(r"\b(core|queue)\s+(\d+)\b", lambda m: f"{'core' if m[1] == 'core' else 'q'}{m[2]}", rest)
        for word in rest.split():
            self._word(word)

    def _word(self, word: str) -> None:
        history = self.branch.sim.history
        named = [i for i, k in enumerate(history.kinds) if k.startswith(word)]
        if named:
            self.kinds &= np.isin(np.arange(len(history.kinds)), named)
            return
        places = history.places
        exact = [i for i, p in enumerate(places) if p.name == word or p.name.rpartition(".")[2] == word]
        found = exact or [i for i, p in enumerate(places) if p.name.startswith(word)]
        if not found:
            raise ValueError(f"no event or component “{word}”; events: {', '.join(history.kinds)}")
        wanted = np.zeros(len(places), dtype=bool)
        wanted[found] = True
        self.subjects = wanted if self.subjects is None else self.subjects & wanted

    def of_chunk(self, chunk: Any) -> Any:
        """Numbers of the matching events of a chunk that may be read."""
        last = self.branch.last()
        if self.events is not None:
            inside = [e for e in self.events if chunk.first <= e < chunk.first + len(chunk)]
            hit = np.zeros(len(chunk), dtype=bool)
            hit[np.array(inside, dtype=int) - chunk.first] = True
        else:
            hit = np.ones(len(chunk), dtype=bool)
        hit &= self.kinds[chunk.kinds]
        if self.subjects is not None:
            known = chunk.subjects < len(self.subjects)
            hit &= known & self.subjects[np.minimum(chunk.subjects, len(self.subjects) - 1)]
        numbers = np.flatnonzero(hit) + chunk.first
        return numbers[numbers <= last]

    def next(self, start: int, by: int) -> int | None:
        """The nearest match after (by = 1) or before (-1) an event."""
        history, number = self.branch.sim.history, start + by
        while 0 <= number <= self.branch.last():
            chunk = history.chunk_of(number)
            hits = self.of_chunk(chunk)
            hits = hits[hits >= number] if by > 0 else hits[hits <= number]
            if len(hits):
                return int(hits[0] if by > 0 else hits[-1])
            number = chunk.first + len(chunk) if by > 0 else chunk.first - 1
        return None

    def up_to(self, event: int, most: int) -> list[int]:
        """The last `most` matches at or before an event, in order."""
        out: list[int] = []
        history, number = self.branch.sim.history, min(event, self.branch.last())
        while number >= 0 and len(out) < most:
            chunk = history.chunk_of(number)
            hits = self.of_chunk(chunk)
            hits = hits[hits <= number]
            out = [*hits[max(0, len(hits) - most + len(out)) :].tolist(), *out]
            number = chunk.first - 1
        return out
