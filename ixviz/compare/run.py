"""One system of a comparison: its recorded run, its picture, and how one of its events is reached.
Invariant: looking at another event never moves where the run stands."""

from __future__ import annotations

from typing import Any

from ixviz.compare.identity import Identity, Key
from ixviz.history import Cursor, History, Journal
from ixviz.scenario.load import Scenario
from ixviz.scenario.simulate import picture_of, simulate

# Where a packet is on its way, in every system: it is in its ring, a core takes it, the application has it, it is out.
PHASES = ("arrives", "is taken", "application", "leaves")
FIRST = 300  # events recorded at once, before anything is shown


class Run:
    """A recorded simulation and where it stands: just after event `at`, as of `now` (ps)."""

    def __init__(self, scenario: Scenario, label: str, sim: Any = None, picture: Any = None) -> None:
        """`sim`: one that records already (a run of a lesson); without it a new one, recorded a little."""
        self.scenario, self.label = scenario, label
        if sim is None:
            sim = simulate(scenario, Journal())
            sim.record(FIRST)
        self.sim: Any = sim
        self.picture: Any = picture_of(self.sim) if picture is None else picture
        self.identity = Identity(self.sim)
        self._cursor: Cursor = self.history.cursor(0)
        self._scratch: Cursor = self.history.cursor(0)
        self.now = 0
        self._moment: tuple[Any, Any] = (None, None)

    @property
    def at(self) -> int:
        """The event it stands just after."""
        return self._cursor.at

    @property
    def history(self) -> History:
        """All that is recorded."""
        history: History = self.sim.history
        return history

    @property
    def last(self) -> int:
        """The last event that is recorded."""
        return len(self.history) - 1

    def edge(self) -> int | None:
        """Up to when (ps) it is recorded: later events may come at this very time. None: to its end."""
        return None if self.sim.ended else self.history.event(self.last).time

    def stand(self, event: int, now: int | None = None) -> None:
        """Go to just after an event, shown as of `now` (ps), of that event by default."""
        self._cursor.seek(min(max(event, 0), self.last))
        self.now = self._cursor.time if now is None else max(now, self._cursor.time)

    @property
    def moment(self) -> Any:
        """Where it stands, for its picture; made once for each place and each growth of the run."""
        key = (self.at, self.now, len(self.history))
        if self._moment[0] != key:
            self._moment = (key, self.picture.moment(self._cursor, self.now))
        return self._moment[1]

    def moment_at(self, event: int) -> Any:
        """The moment just after another event; valid until the next call."""
        self._scratch.seek(min(max(event, 0), self.last))
        return self.picture.moment(self._scratch)

    def time(self, event: int) -> int:
        """The time of an event, ps."""
        return self.history.event(event).time

    # ---------------------------------------------------------------- packets
    def journey(self, packet: int) -> list[tuple[int, int, str]]:
        """(event, time ps, words) of all that befalls a packet, as far as recorded."""
        found: list[tuple[int, int, str]] = self.picture.journey(self.moment, packet, ahead=True)
        return found

    def phases(self, key: Key) -> list[int | None]:
        """The event of each of PHASES of a packet as far as recorded, None for one that has not come (yet)."""
        packet = self.identity.packet(key)
        way = self.journey(packet) if packet is not None else []
        if packet is None or not way:
            return [None] * len(PHASES)
        last = self.moment_at(self.last)
        row = last.batch_of(packet)
        taken = int(self.sim.batches.event[row]) if row is not None else None
        app = next((event for event, _, _ in way if self.kind(event) == "app"), None)
        return [way[0][0], taken, app, way[-1][0] if last.left(packet) is not None else None]

    def kind(self, event: int) -> str:
        """The kind of an event."""
        return self.history.kinds[self.history.event(event).kind]
