"""Every key of the compare screen and what it does to a CompareState. Footer and help read the same table.

Invariant: every action of the table has a function here, and every function is in the table.
"""

from __future__ import annotations

from collections.abc import Callable

from ixviz.compare.find import WANTED
from ixviz.compare.identity import Key as Packet
from ixviz.compare.lockstep import BY_PACKET, PHASES

from . import search
from .actions import faster, slower
from .compare_state import CompareState
from .hits import Hit
from .keys import Key
from .work import Prompt

KEYS = (
    Key(("right",), "→", "forward", "one step forward, in all systems by one clock", "step", 9),
    Key(("left",), "←", "back", "one step back"),
    Key(("plus", "equals_sign", "+", "="), "+", "larger_step", "larger steps: up to a batch, then one packet's way"),
    Key(("minus", "-"), "-", "smaller_step", "smaller steps", "step size", 4),
    Key(("space",), "space", "play", "play or pause", "play", 5),
    Key(("greater_than_sign", "full_stop", ">", "."), "> .", "faster", "play faster, up to as fast as it goes"),
    Key(("less_than_sign", "comma", "<", ","), "< ,", "slower", "play slower, down to a step each second"),
    Key(("n",), "n", "next_difference", "the next difference of what d looks for", "next difference", 8),
    Key(("N", "upper_n"), "N", "previous_difference", "the difference before"),
    Key(("d",), "d", "wanted", "what n looks for: news (the first of each kind), any, or one kind", "kind", 3),
    Key(("p",), "p", "follow", "follow the packet shown: its way in each system; again: no more", "follow", 6),
    Key(("a",), "a", "align", "align by packet: each where that packet is in the same phase; or by time", "align", 7),
    Key(("g",), "g", "goto", "go to a time or a packet: 5 us, +500us, #212", "go to", 2),
    Key(("home",), "home", "start", "to the start"),
    Key(("T", "upper_t"), "T", "theme", "dark or light"),
    Key(("question_mark", "?", "f1"), "?", "help", "this list", "help", 10),
    Key(("escape",), "esc", "cancel", "stop what is going on, close the help"),
    Key(("q",), "q", "up_level", "back to where you were", "back", 10),
)
ACTION_OF = {name: key.action for key in KEYS for name in key.keys}


def forward(state: CompareState) -> None:
    state.step_by(1)


def back(state: CompareState) -> None:
    state.step_by(-1)


def larger_step(state: CompareState) -> None:
    state.step = min(state.step + 1, len(state.sizes) - 1)


def smaller_step(state: CompareState) -> None:
    state.step = max(min(state.step, len(state.sizes) - 1) - 1, 0)


def play(state: CompareState) -> None:
    state.playing = not state.playing


def next_difference(state: CompareState) -> None:
    state.go_difference(1)


def previous_difference(state: CompareState) -> None:
    state.go_difference(-1)


def wanted(state: CompareState) -> None:
    """The next kind of which there is one among those recorded."""
    state.finder.look()
    there = {found.kind for found in state.finder.known}
    choices = [kind for kind in WANTED if kind in there or kind in WANTED[:2]]
    at = choices.index(state.wanted) if state.wanted in choices else -1
    state.wanted = choices[(at + 1) % len(choices)]
    more = {WANTED[0]: ": the first of each kind", "waits": ": those that begin while one lasts are passed by"}
    state.message = f"n looks for {state.wanted}{more.get(state.wanted, '')}"


def follow(state: CompareState) -> None:
    key = state.key
    if state.followed is not None or key is None:
        state.message = "no packet has come yet" if key is None else ""
        state.followed = None
    else:
        state.followed = key


def align(state: CompareState) -> None:
    state.other_alignment()


def goto(state: CompareState) -> None:
    state.prompt = Prompt("go to (5 us, +500us, packet #212)", lambda text: go_to(state, text))


def go_to(state: CompareState, text: str) -> str | None:
    """`5 us`, `+500us`, `-1 us`, `#212`: the arrival of a packet, by its number in the first system."""
    digits = text.removeprefix("#").replace(",", "").strip()
    if text.startswith("#") or digits.isdigit():
        if not digits.isdigit() or len(digits) > 12:
            return "#212 goes to packet 212"
        return _to_packet(state, int(digits))
    from ixviz.scenario.units import parse_time

    sign = {"+": 1, "-": -1}.get(text[:1], 0)
    try:
        ps = parse_time(text[1:].strip() if sign else text)
    except ValueError as error:
        return str(error)
    state.go_time(max(state.lock.place.now + sign * ps if sign else ps, 0))
    return None


def _to_packet(state: CompareState, number: int) -> str | None:
    run = state.lock.runs[0]
    key: Packet | None = run.identity.key(number)
    if key is None:
        return f"packet {number:,} is not recorded yet: the last is {len(run.sim.feed.packets.event) - 1:,}"
    state.followed = key
    if state.lock.align == BY_PACKET:
        state.go_packet(key, min(state.lock.phase, len(PHASES) - 1))
        return None
    event = run.phases(key)[0]
    if event is None:
        return f"packet {number:,} is not recorded yet"
    state.go_time(run.time(event))
    return None


def start(state: CompareState) -> None:
    state.lock.go(len(state.lock.runs) - 1, 0)


def theme(state: CompareState) -> None:
    state.leave = "theme"


def help(state: CompareState) -> None:
    state.help = not state.help
    state.scroll.pop("help", None)


def cancel(state: CompareState) -> None:
    state.help = state.playing = False
    if state.job is not None:
        state.job, state.job_text = None, ""
        state.message = "stopped"


def up_level(state: CompareState) -> None:
    if state.help:
        state.help = False
    else:
        state.leave = "up"


ACTIONS: dict[str, Callable[[CompareState], None]] = {
    f.__name__: f
    for f in (forward, back, larger_step, smaller_step, play, faster, slower, next_difference, previous_difference,
              wanted, follow, align, goto, start, theme, help, cancel, up_level)
}  # fmt: skip
MOUSE = (("click", "on an event, or on a line of a packet's way: there, in all systems"),
         ("wheel", "a step, down forward, up back"))  # fmt: skip
_MOVES = ("forward", "back", "next_difference", "previous_difference", "goto", "start", "align")


def press(state: CompareState, key: str, character: str | None) -> bool:
    """A key: of the line being typed, or of the table. Returns whether it meant anything."""
    if state.prompt is not None:
        return search.type_into(state, key, character)
    if state.scrolls_help(key):
        return True
    action = ACTION_OF.get(key) or (ACTION_OF.get(character) if character else None)
    if action is None:
        return False
    if state.help and action not in ("help", "cancel", "up_level", "theme"):
        state.help = False
        return True
    _act(state, action)
    return True


def _act(state: CompareState, action: str) -> None:
    state.message = ""
    if action not in ("cancel", "up_level", "help"):
        _drop(state)
    if action in _MOVES:
        state.playing = False
    ACTIONS[action](state)


def _drop(state: CompareState) -> None:
    """What an earlier key began and has not ended."""
    if state.job is not None:
        state.job, state.job_text = None, ""


# ---------------------------------------------------------------- the mouse
def click(state: CompareState, hit: Hit) -> None:
    """A click on an event, or on a line of a packet's way: there in all systems. Not while a line is typed."""
    if state.help or state.prompt is not None:
        return
    state.message, state.playing = "", False
    _drop(state)
    state.go_event(*hit.data)


def wheel(state: CompareState, by: int) -> None:
    """The wheel: of the help by lines, else a step. Not while a line is typed."""
    if state.help:
        state.scroll_help(3 * by)
    elif state.prompt is None:
        _act(state, "forward" if by > 0 else "back")
