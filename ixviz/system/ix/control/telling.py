"""What a part of the control plane does becomes an event: its kind by name, caused by the last one unless told.
Invariant: in a history of packets what has arrived by then comes before it, so that times never go back."""

from __future__ import annotations

from typing import Any, ClassVar

from ixviz.history import Journal


class Telling:
    """`kind0` is the number of the first of KINDS among all kinds, `subject` that of the component."""

    KINDS: ClassVar[tuple[str, ...]]
    journal: Journal | None
    subject: int
    kind0: int
    feed: Any
    apart: bool  # whether its slots are not those of the machine, whose threads and polls then are not in its history
    last_event: int  # -1 = none, or not recorded

    def tell(self, now: int, kind: str, *, subject: int | None = None, cause: int = -1) -> None:
        """Write the event, of another component if `subject` is given."""
        if self.journal is None:
            return
        if not self.apart:
            self.feed.advance(now)
        self.last_event = self.journal.event(now, self.kind0 + self.KINDS.index(kind),
                                             self.subject if subject is None else subject,
                                             cause if cause >= 0 else self.last_event)  # fmt: skip

    def told(self, last_event: int) -> None:
        """Go on after an event of the run resumed from; a run that is not recorded has none."""
        self.last_event = last_event if self.journal is not None else -1
