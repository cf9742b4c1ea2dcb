"""A scenario as text: one line for the machine at an event, and words to step, seek and ask why.

Invariant: only what is recorded is shown, and no command records more than it has to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from ixviz.history import Cursor
from ixviz.lesson.wrap import wrapped
from ixviz.scenario.messages import cut
from ixviz.scenario.simulate import picture_of
from ixviz.scenario.units import UnitError, format_time, parse_time

if TYPE_CHECKING:
    Simulation = Any  # of ixviz.system, which this room may not import

HELP = (
    "n next event, b back, a number: go to that event, t 5 us: go to a time, w why, c what changed, q quit. "
    "An empty line is n."
)
_CHUNK = 2_000
MOST = 1_000_000  # events; a typing slip must not fill the memory


class Stepper:
    """Steps one recorded simulation; the cursor is never moved beyond what was recorded."""

    def __init__(self, sim: Simulation, stdout: TextIO) -> None:
        self.sim, self.stdout = sim, stdout
        self.picture = picture_of(sim)
        self._reach(0)
        self.cursor: Cursor = sim.history.cursor(0)

    def _reach(self, event: int) -> bool:
        """Records up to an event; False when the run ends before it."""
        while len(self.sim.history) <= event < MOST and not self.sim.ended:
            self.sim.record(_CHUNK)
        return len(self.sim.history) > event

    def say(self, text: str, indent: str = "") -> None:
        """One message, wrapped, all lines but the first two columns further in."""
        self.stdout.write("\n".join(wrapped(text, 80, indent, indent + "  ")) + "\n")

    def obey(self, word: str) -> bool:
        """One command. False: quit."""
        name, _, argument = word.partition(" ")
        if name in ("q", "quit"):
            return False
        if name in ("", "n"):
            self.go(self.cursor.at + 1, "This is the end of the run.")
        elif name == "b":
            self.go(self.cursor.at - 1, "This is the start of the run.")
        elif word.replace(",", "").isascii() and word.replace(",", "").isdigit() and len(word) < 12:
            self.go(int(word.replace(",", "")), "")
        elif name == "t":
            self.go_time(argument)
        elif name == "w":
            self.why()
        elif name == "c":
            self.changed()
        else:
            self.say(HELP)
        return True

    def go(self, event: int, beyond: str) -> None:
        """To an event, and show it."""
        if event < 0 or not self._reach(event):
            if event >= MOST:
                beyond = f"Events are kept up to {MOST - 1:,}."
            self.say(beyond or f"There is no event {event:,}: the last is {len(self.sim.history) - 1:,}.")
            return
        self.cursor.seek(event)
        self.show()

    def go_time(self, text: str) -> None:
        """To the last event at or before a time."""
        try:
            time = parse_time(text.strip())
        except UnitError as error:
            self.say(f"{error}.".replace("..", "."))
            return
        while self.sim.now <= time and not self.sim.ended and len(self.sim.history) < MOST:
            self.sim.record(_CHUNK)
        self.cursor.seek_time(time)
        self.show()

    def show(self) -> None:
        """The event in words, then the machine."""
        cursor, history = self.cursor, self.sim.history
        event = history.event(cursor.at)
        self.say(f"{format_time(event.time)}  event {event.number:,}  {self._words(event)}")
        rings: list[str] | None = None
        lists: list[str] | None = None
        cores: list[str] = []
        idle = 0
        for place in history.places:
            fields, part = place.cls.FIELDS, cursor.view[place.name]
            if "stage" in fields:
                stage = fields["stage"].values[part.stage]
                group = f" ({self.picture.group} {part.batch:,} of {part.size})" if getattr(part, "size", 0) else ""
                if stage == "idle":
                    idle += 1
                else:
                    cores.append(f"{place.name} {stage}{group}")
            elif "head" in fields:
                here = f"{place.name} {part.depth:,}"
                if "rxlist" in place.name:
                    lists = [*(lists or []), *([here] if part.depth else [])]
                else:
                    rings = [*(rings or []), *([here] if part.depth else [])]
        parts = [", ".join(found) or f"{name} empty" for name, found in (("rings", rings), ("lists", lists))
                 if found is not None]  # fmt: skip
        if idle:
            cores.append(f"{idle} idle" if cores else "the core is idle" if idle == 1 else f"all {idle} cores are idle")
        parts += [", ".join(cores)] if cores else []
        if parts:
            self.say("; ".join(parts), "  ")

    def _words(self, event: Any) -> str:
        history = self.sim.history
        moment = self.picture.moment(history.cursor(event.number))
        words = str(self.picture.words(moment, event.number))
        return words or f"{history.places[event.subject].name} {history.kinds[event.kind]}"

    def why(self) -> None:
        """The chain of causes, the nearest first, with the time each link took."""
        history = self.sim.history
        chain = history.causes(self.cursor.at, 12)
        for later, link in zip([None, *chain], chain, strict=False):
            took = f", {format_time(later.time - link.time)} before" if later is not None else ""
            because = "because of " if later is not None else ""
            self.say(f"{because}event {link.number:,}, {self._words(link)}{took}", "  ")

    def changed(self) -> None:
        """What the event wrote."""
        history = self.sim.history
        shown = 0
        for change in history.changes(self.cursor.at):
            declared = next(p for p in history.places if p.name == change.component).cls.FIELDS[change.field]
            if declared.hidden:
                continue
            old, new = (declared.values[v] if declared.values else f"{v:,}" for v in (change.old, change.new))
            self.say(f"{change.component}.{change.field}  {old} to {new}", "  ")
            shown += 1
        if not shown:
            self.say("nothing that is shown", "  ")


def scenario_plain(sim: Simulation, stdin: TextIO, stdout: TextIO) -> int:
    """A simulation built with a journal, as text: a command a line, until q or the end of the input. Returns 0."""
    stepper = Stepper(sim, stdout)
    echo = not stdin.isatty()
    stepper.say(HELP)
    stepper.show()
    while True:
        stdout.write("> ")
        stdout.flush()
        try:
            line = stdin.readline()
        except UnicodeDecodeError:
            line = "?\n"
        if line == "":
            stdout.write("\n")
            return 0
        word = line.strip()
        if echo:
            stdout.write(cut(word) + "\n")
        if not stepper.obey(word):
            return 0
