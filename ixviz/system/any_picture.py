"""What pictures of all systems do alike: which lanes they show, and up to which moment they tell a packet's way.
Invariant: the screen knows a picture by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ixviz.system.shown import LanesShown, Totals, Why
from ixviz.system.timewindow import zoomed


class AnyPicture(ABC):
    """A picture provides these attributes and methods; beside it stand its modules `why` and `charts`."""

    sim: Any
    cores: int  # the number of lanes
    cell: int  # a good length (ps) for a cell of the lanes
    draw_lanes: Callable[..., LanesShown]  # its timelanes.lanes
    tell: Callable[[Any, int], str]  # its words.event_words

    @abstractmethod
    def moment(self, cursor: Any, now: int | None = None) -> Any:
        """The moment at which a cursor stands, shown as of `now` (ps)."""

    @abstractmethod
    def origin(self, moment: Any) -> int:
        """Where the first page of the lanes begins (ps)."""

    def lanes(self, moment: Any, width: int, rows: int, *, zoom: int = 0, note: str = "",
              followed: int | None = None, core: int = 0, since: int | None = None) -> LanesShown:  # fmt: skip
        """The lanes, `rows` + 3 lines; more cores than rows scroll with `core`. `zoom` in steps of 1, 2, 5.

        `since` (ps): where their first page begins, instead of at the picture's origin.
        """
        first = min(max(core - rows // 2, 0), max(self.cores - rows, 0))
        origin = self.origin(moment) if since is None else since
        return self.draw_lanes(moment, width, rows, origin, zoomed(self.cell, zoom), note, followed, first)

    def words(self, moment: Any, event: int) -> str:
        """What an event was, in words, without a full stop."""
        return self.tell(moment, event)

    def why(self, moment: Any, packet: int) -> Why:
        """A packet's latency taken apart."""
        made: Why = self._later("why").why(moment, packet)
        return made

    def chart(self, moment: Any, name: str, width: int, height: int, limit: int | None = None) -> Any:
        """A chart (draw.cells.Lines) of what happened up to the moment; `name` is one of `charts`."""
        return self._later("charts").draw_chart(moment, name, width, height, limit)

    def totals(self, moment: Any) -> Totals | None:
        """What the run had done up to the moment; None where a system has no packets to divide it by."""
        return None

    def doing(self, moment: Any, core: int) -> str:
        """What a core (an index) does at the moment, in a few words: `tcp, batch of 2`. Empty: not told."""
        return ""

    def _later(self, name: str) -> Any:
        """A module beside the picture that the first frame does not need."""
        return import_module(f"{type(self).__module__}.{name}")

    def _told(self, moment: Any, packet: int, ahead: bool) -> Any:
        """The moment up to which a packet's way is told: as far as recorded if `ahead`. None before it has come."""
        if ahead:
            moment = self.moment(self.sim.history.cursor(len(self.sim.history) - 1))
        return moment if 1 <= packet <= moment.packets else None
