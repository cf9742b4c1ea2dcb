"""What pictures of all systems do alike: which lanes they show, and up to which moment they tell a packet's way.
Invariant: the screen knows a picture by its methods alone; no method reads what happened after the moment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from ixviz.system.picture.shown import Knob, LanesShown, Totals, Why
from ixviz.system.picture.timewindow import zoomed
from ixviz.system.picture.words import several

LATEST = 2_000  # things that are done, over which branches are compared


class AnyPicture(ABC):
    """A picture provides these attributes and methods; beside it stand its modules `why` and `charts`."""

    sim: Any
    cores: int  # the number of lanes
    cell: int  # a good length (ps) for a cell of the lanes
    draw_lanes: Callable[..., LanesShown]  # its timelanes.lanes
    tell: Callable[[Any, int], str]  # its words.event_words

    # What the screen says of this system.
    heading: str  # the system, its cores, and `bound`
    bound: str = ""  # what limits a core's turn, for a line about one run: `B 64`; "" where nothing does
    noun: str  # what is followed and asked why: `packet` 9
    came: str  # what that has done once it can be asked about: no packet 9 `has arrived` yet
    stays: str  # what it does until it is done: it `is still here`
    gone: str  # what those did that are done: packets that `left`
    late: str  # why did this packet `leave so late`
    # The step sizes from small to large, with the kinds of event at which they stop; None = every event.
    steps: Mapping[str, frozenset[str] | None]
    following: str  # the largest step size, which goes along with what is followed (see journey)
    group: str  # what moment.batches counts: `batch`
    arrived: str  # what moment.packets counts, the title of a column
    way: str  # from where to where the latency of one is: `ring to doorbell`
    condition: str  # an example of a condition to run to
    knobs: Sequence[Knob] = ()
    fixed: Sequence[str] = ()  # paths of the scenario that are fixed once it runs
    # What the machine can be shown as: a name, and the mark (see machine) that asks for it, "" for all its parts.
    views: Mapping[str, str] = {"machine": ""}
    glossary: Sequence[tuple[str, str]] = ()  # words of this system, and their meanings

    @property
    def nouns(self) -> str:
        """`packets`."""
        return several(self.noun)

    @property
    def groups(self) -> str:
        """`batches`."""
        return several(self.group)

    @abstractmethod
    def moment(self, cursor: Any, now: int | None = None) -> Any:
        """The moment at which a cursor stands, shown as of `now` (ps)."""

    @abstractmethod
    def origin(self, moment: Any) -> int:
        """Where the first page of the lanes begins (ps)."""

    def lanes(self, moment: Any, width: int, rows: int, *, zoom: int = 0, note: str = "",
              followed: int | None = None, core: int = 0, since: int | None = None, cell: int = 0
              ) -> LanesShown:  # fmt: skip
        """The lanes, `rows` + 3 lines; more cores than rows scroll with `core`. `zoom` in steps of 1, 2, 5.

        `since` (ps): where their first page begins, instead of at the picture's origin; `cell` (ps): not its own.
        """
        first = min(max(core - rows // 2, 0), max(self.cores - rows, 0))
        origin = self.origin(moment) if since is None else since
        return self.draw_lanes(moment, width, rows, origin, zoomed(cell or self.cell, zoom), note, followed, first)

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

    def compared(self, moment: Any) -> list[tuple[str, str]]:
        """What branches are compared by at a moment: titles and values. `compared_note` explains them."""
        done = sorted(moment.finished(LATEST))
        mean = p99 = "–"
        if done:
            scale, unit = (1e3, "ns") if done[-1] < 10**6 else (1e6, "µs")
            mean = f"{sum(done) / len(done) / scale:.2f} {unit}"
            p99 = f"{done[max(0, -(-len(done) * 99 // 100) - 1)] / scale:.2f} {unit}"
        counts = [(self.arrived, f"{moment.packets:,}"), (self.groups, f"{moment.batches:,}")]
        return [*counts, ("mean", mean), ("p99", p99)]

    @property
    def compared_note(self) -> str:
        """What the titles of `compared` mean."""
        return f"mean and p99: from {self.way}, of the last {LATEST:,} {self.nouns} that {self.gone}"

    def owners(self, part: str, names: Sequence[str]) -> list[str]:
        """Which of the components `names` a part belongs to that is none of them: by its name."""
        whole = self._named(part)
        return [name for name in names if any(each.startswith(f"{name}.") for each in whole)]

    def _named(self, part: str) -> list[str]:
        """The components that a lesson means by a name, whole or without its owner's."""
        known = [place.name for place in self.sim.history.places]
        return [name for name in known if name == part] or [name for name in known if name.endswith(f".{part}")]

    def touched_by(self, moment: Any, part: str, most: int) -> list[tuple[int, str]]:
        """(event, words) of the last events in which a cache line was accessed, the newest first; nothing of others."""
        if not {"accesses", "moved_from"} <= set(moment.view.place(part).cls.FIELDS):
            return []
        from ixviz.system.picture.coherence_view import last_accesses  # not needed for the first frame

        return [(a.event, f"core {a.core}, {a.path}" + (f", from core {a.taken_from}" if a.taken_from >= 0 else ""))
                for a in last_accesses(self.sim.history, part, moment.at, most)]  # fmt: skip

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
