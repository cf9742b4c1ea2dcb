"""A moment of a recorded Linux run: each packet leaves by itself, and every step of its way is an event.
Invariant: nothing that happened after the cursor's event can be read through a Moment."""

from __future__ import annotations

from typing import Any

from ixviz.system import pictures


class Moment(pictures.Moment):
    """A run at an event; what it calls batches are NAPI polls. `scratch` is a cursor for looks at other events."""

    def __init__(self, sim: Any, cursor: Any, rows: pictures.Rows, now: int | None, scratch: Any) -> None:
        super().__init__(sim, cursor, rows, now)
        self._scratch = scratch

    def then(self, event: int) -> Any:
        """The components just after an event, the moment's at most. Valid until the next look."""
        if event >= self.at:
            return self.view
        self._scratch.seek(event)
        return self._scratch.view

    def step(self, packet: int, name: str) -> int | None:
        """The event by which a packet took a step (a column of the journeys), None if it has not by now."""
        column = getattr(self.sim.journeys, name)
        event = column[packet] if packet < len(column) else -1
        return event if 0 <= event <= self.at else None

    def left(self, packet: int) -> int | None:
        """When a packet left (ps): its answer was handed to the NIC, or nothing was left to do. None if not yet."""
        return None if self.step(packet, "sent") is None else int(self.sim.journeys.left[packet])

    def chain(self, last: int, first: int) -> list[Any]:
        """The events that led from `first` to `last`, by their causes, in order; from as far back as they reach."""
        history = self.sim.history
        out = [history.event(last)]
        while out[-1].number > first and out[-1].cause >= 0:
            out.append(history.event(out[-1].cause))
        return out[::-1]
