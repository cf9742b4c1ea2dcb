"""Lines the reader types: go to, find, break on a condition, follow something, what if.

Invariant: a line that cannot be carried out stays open with what is wrong with it; it never does half of its work.
"""

from __future__ import annotations

from collections.abc import Iterator

from .branch import Branch
from .matching import Match
from .state import NOT_YET, State
from .work import BUDGET


def type_into(state: State, key: str, character: str | None) -> bool:
    """A key while a line is being typed."""
    prompt = state.prompt
    assert prompt is not None
    if key == "escape":
        state.prompt = None
    elif key == "enter":
        state.message = ""
        wrong = prompt.done(prompt.text.strip())
        if wrong:
            prompt.error = wrong
        elif state.prompt is prompt:
            state.prompt = None
    elif key in ("backspace", "ctrl+h"):
        prompt.text, prompt.error, prompt.kept = prompt.text[:-1], "", False
    elif key == "ctrl+u":
        prompt.text, prompt.error = "", ""
    elif character and character.isprintable():
        before = "" if prompt.kept else prompt.text
        prompt.text, prompt.error, prompt.kept = (before + character)[:200], "", False
    return True


def go_to(state: State, text: str) -> str | None:
    """`5 us`, `+500us`, `-1 us`, `#120`."""
    if not text:
        return "a time like 5 us, +500us, or an event like #120"
    if text.startswith("#") or text.isdigit():
        digits = text.removeprefix("#").replace(",", "").strip()
        if not digits.isdigit() or len(digits) > 12:
            return "#120 goes to event 120"
        state.go_to_event(int(digits))
        return None
    from ixviz.scenario.units import parse_time

    sign = {"+": 1, "-": -1}.get(text[0], 0)
    try:
        ps = parse_time(text[1:].strip() if sign else text)
    except ValueError as error:
        return str(error)
    state.go_to_time(max(state.branch.now + sign * ps if sign else ps, 0))
    return None


def to_end(state: State) -> Iterator[str]:
    """Record the run to its end and go there."""
    branch = state.branch
    until = branch.sim.until
    while branch.limit is None and not branch.ended:
        branch.record(BUDGET)
        if until:
            yield f"recording, {100 * branch.sim.now // until} %, esc stops"
        else:
            yield f"recording, {len(branch.sim.history):,} events, esc stops"
    state.go(branch.last())
    if branch.limit is not None:
        state.message = NOT_YET if state.asking else "this beat ends here, ↵ goes on"


def find(state: State, text: str) -> str | None:
    """Look for a word in the log from here on, and show only what matches there."""
    if not text:
        state.found = ""
        return None
    try:
        Match(state.branch, text)
    except ValueError as error:
        return str(error)
    state.found = text
    state.tab = "Log"
    again(state, 1)
    return None


def again(state: State, by: int) -> None:
    """The next or previous event that was looked for."""
    if not state.found:
        state.message = "/ says what to look for"
        return
    state.start(_search(state, state.branch, by))


def _search(state: State, branch: Branch, by: int) -> Iterator[str]:
    start = branch.at
    while (target := Match(branch, state.found).next(start, by)) is None and by > 0:
        if branch.ended or branch.limit is not None:
            break
        start = branch.last()
        branch.record(BUDGET)
        yield f"looking for {state.found}, {len(branch.sim.history):,} events"
    if target is not None:
        state.go(target)
        state.message = f"found: {state.found}, n next, N previous"
    else:
        where = "after" if by > 0 else "before"
        state.message = f"no {state.found} {where} this" + (", as far as is shown" if branch.limit is not None else "")


def break_at(state: State, text: str, by: int) -> str | None:
    """Run on to the next event that makes a condition true, or back to the last one that did."""
    if not text:
        return state.branch.named("a condition like {condition}")
    from .conditions import Condition

    try:
        condition = Condition(state.branch, text)
    except ValueError as error:
        return str(error)
    state.breakpoint = text
    state.start(_break(state, condition, by))
    return None


def _break(state: State, condition: object, by: int) -> Iterator[str]:
    from .conditions import Condition

    assert isinstance(condition, Condition)
    branch = state.branch
    on, back = ("u", "U") if state.asking else ("b", "B")  # b may be an answer
    try:
        for found in condition.search(branch.at, by):
            if found is not None:
                state.go(found)
                state.message = f"becomes true here ({on} next, {back} before): {state.breakpoint}"
                return
            yield f"looking for {state.breakpoint}, esc stops"
    except ValueError as error:
        state.message = str(error)
        return
    if by < 0:
        state.message = f"becomes true nowhere before this: {state.breakpoint}"
    else:
        as_shown = ", as far as is shown" if branch.limit is not None else ""
        state.message = f"becomes true nowhere after this{as_shown} ({back} looks back): {state.breakpoint}"


def follow(state: State, text: str) -> str | None:
    """Choose what Why, the tab beside Chart and the largest step size are about."""
    picture, moment = state.branch.picture, state.branch.moment
    if not text:
        number = state.packet()
    elif text.isdigit() and len(text) < 12:
        number = int(text)
    else:
        return state.branch.named("the number of the {noun}, like 9")
    if not number or number > moment.packets:
        return (
            f"no {picture.noun} {text} {picture.came} yet: there are {moment.packets:,}"
            if moment.packets
            else f"none {picture.came} yet"
        )
    state.followed = number
    state.tab = "Packet"
    state.message = f"{picture.noun} {number:,} is P in the picture; step size {picture.following} goes along with it"
    return None


def what_if(state: State, text: str) -> str | None:
    """`key=value`: a new branch from here on with that knob changed; both stay."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not key or not value:
        return f"a knob and its value: {', '.join(f'{k.key}={k.value}' for k in state.branch.knobs())}"
    from ixviz.scenario.load import with_changes
    from ixviz.scenario.messages import Problems
    from ixviz.scenario.source import scan

    node, wrong = scan(value, "what if")
    if wrong or node is None:
        return wrong[0].message if wrong else "a value is missing"
    branch = state.branch
    try:
        changed = with_changes(branch.scenario, {key: node.plain()})
    except Problems as error:
        return "; ".join(f"{p.key}: {p.message}" if p.key else p.message for p in error.problems[:2])
    reason = _cannot(branch, key)
    if reason:
        return reason
    try:
        made = branch.forked(changed, state.picture_of, f"branch {len(state.branches) + 1}", f"{key}={value}")
    except (ValueError, KeyError, IndexError) as error:
        return f"{key} cannot be changed in the middle of a run ({error})"
    state.branches.append(made)
    state.current = len(state.branches) - 1
    state.tab = "What if"
    state.moved()
    state.message = f"{made.name}: {made.change} from now on; v shows the other branch"
    return None


def _cannot(branch: Branch, key: str) -> str | None:
    """Why a knob cannot be turned in the middle of a run."""
    if key in branch.picture.fixed:
        return f"{key} is fixed once the machine runs: open the scenario with --set {key}=…"
    return None
