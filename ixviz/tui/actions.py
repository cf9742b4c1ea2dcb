"""What each action of keys.py does to a State.

Invariant: an action takes a State and nothing else; what it cannot do it says in `state.message`.
"""

from __future__ import annotations

from collections.abc import Callable

from . import search
from .state import State
from .work import Prompt, Working


def forward(state: State) -> None:
    state.step_by(1)


def back(state: State) -> None:
    if state.branch.now > state.branch.cursor.time:  # paused between two events: first back to the one just done
        state.go(state.branch.at)
        return
    state.step_by(-1)


def larger_step(state: State) -> None:
    state.step = min(state.step + 1, len(state.branch.sizes) - 1)
    if state.follows:
        state.followed = state.packet()
        follows = state.branch.named("→ follows {noun}")
        state.message = f"{follows} {state.followed:,} from event to event" if state.followed else ""


def smaller_step(state: State) -> None:
    state.step = max(state.step - 1, 0)


def play(state: State) -> None:
    state.playing = not state.playing
    branch = state.branch
    if state.playing and branch.at >= branch.last() and (branch.ended or branch.limit is not None):
        state.playing = False
        state.step_by(1)  # says why it does not go on


def faster(state: Working) -> None:
    state.go_faster(1)


def slower(state: Working) -> None:
    state.go_faster(-1)


def start(state: State) -> None:
    state.playing = False
    state.go(0)


def end(state: State) -> None:
    state.playing = False
    state.start(search.to_end(state))


def next_beat(state: State) -> None:
    if state.lesson is not None:
        state.lesson.go_on(state)
    else:
        forward(state)


def previous_beat(state: State) -> None:
    if state.lesson is not None:
        state.lesson.go_back(state)
    else:
        back(state)


def goto(state: State) -> None:
    state.prompt = Prompt("go to (5 us, +500us, #120)", lambda text: search.go_to(state, text))


def find(state: State) -> None:
    ask = state.branch.named("find (a word, a component, {noun} 9)")
    state.prompt = Prompt(ask, lambda text: search.find(state, text))


def find_next(state: State) -> None:
    search.again(state, 1)


def find_previous(state: State) -> None:
    search.again(state, -1)


def break_at(state: State) -> None:
    state.prompt = Prompt(
        state.branch.named("run to where ({condition})"),
        lambda text: search.break_at(state, text, 1),
        state.breakpoint,
        kept=bool(state.breakpoint),
    )


def break_back(state: State) -> None:
    if state.breakpoint:
        state.message = search.break_at(state, state.breakpoint, -1) or state.message
    else:
        ask = state.branch.named("back to where ({condition})")
        state.prompt = Prompt(ask, lambda text: search.break_at(state, text, -1))


def why(state: State) -> None:
    state.tab = "Why"


def packet(state: State) -> None:
    here = state.packet()
    hint = f", ↵ for {here:,}" if here else ""
    ask = f"follow {state.branch.picture.noun} (number{hint})"
    state.prompt = Prompt(ask, lambda text: search.follow(state, text))


def inspect(state: State) -> None:
    state.part = ""
    state.tab = "Parts"


def what_if(state: State) -> None:
    if state.session is not None:
        state.message = "what if is for machines to play with: open one from the menu"
        return
    state.prompt = Prompt(state.branch.named("what if ({knob})"), lambda text: search.what_if(state, text))


def next_branch(state: State) -> None:
    if len(state.branches) < 2 or state.session is not None:
        state.message = "there is one branch; x makes another"
        return
    state.playing = False
    show_branch(state, (state.current + 1) % len(state.branches))


def show_branch(state: State, index: int) -> None:
    """Another branch, at the same time as far as it is recorded."""
    now = state.branch.now
    state.current = index
    state.go_to_time(now)
    if not state.message:
        state.message = f"this is {state.branch.name}"


def closer(state: State) -> None:
    """Every event of a millisecond around now, of a run that was not recorded in full."""
    from .closer import look

    if state.lesson is not None:
        state.message = "in a lesson the machine is shown as it was recorded"
    else:
        state.start(look(state))


def next_view(state: State) -> None:
    """The machine as something else: its cache lines, its flow groups."""
    views = list(state.branch.picture.views)
    if state.asking:
        state.message = "first answer, or s skips"
    elif len(views) == 1:
        state.message = "this machine has no other view"
    else:
        state.view = views[(views.index(state.view_name) + 1) % len(views)]
        state.message = f"view: {state.view}"


def marked(state: State) -> None:
    state.everything = not state.everything


def compare(state: State) -> None:
    if state.session is not None:
        state.message = "compare is for machines to play with: open one from the menu"
    elif state.branch.scenario.workload.kind == "none":
        state.message = "only systems that are sent packets can be compared"
    else:
        state.leave = "compare"


def next_chart(state: State) -> None:
    if state.tab == "Chart":
        state.chart += 1
    state.tab = "Chart"


def zoom_in(state: State) -> None:
    state.zoom = max(state.zoom - 1, -8)


def zoom_out(state: State) -> None:
    state.zoom = min(state.zoom + 1, 8)


def core_up(state: State) -> None:
    state.core = max(state.core_shown() - 1, 0)


def core_down(state: State) -> None:
    state.core = min(state.core_shown() + 1, state.branch.picture.cores - 1)


def next_tab(state: State) -> None:
    state.tab = state.tabs[(state.tabs.index(state.tab) + 1) % len(state.tabs)]


def previous_tab(state: State) -> None:
    state.tab = state.tabs[state.tabs.index(state.tab) - 1]


def tab_number(state: State, number: int) -> None:
    """The tab of a digit, 1 to 8."""
    if 1 <= number <= len(state.tabs):
        state.tab = state.tabs[number - 1]


def down(state: State) -> None:
    _select(state, 1)


def up(state: State) -> None:
    _select(state, -1)


def _select(state: State, by: int) -> None:
    if state.tab == "Chart":
        state.chart += by
    elif state.links and not _beyond(state, by):
        chosen = state.selected.get(state.tab, -1 if by > 0 else len(state.links))
        state.selected[state.tab] = min(max(chosen + by, 0), len(state.links) - 1)
    else:
        scroll(state, by)


def _beyond(state: State, by: int) -> bool:
    """Whether ↓ goes beyond the last of the lines that can be chosen, or ↑ back to them: what is below is scrolled."""
    if not state.scrolls:
        return False
    return state.selected.get(state.tab, -1) == len(state.links) - 1 if by > 0 else state.scroll.get(state.tab, 0) > 0


def scroll(state: State, by: int) -> None:
    """The panel by some lines."""
    state.scroll[state.tab] = max(state.scroll.get(state.tab, 0) + by, 0)


def enter(state: State) -> None:
    chosen = state.selected.get(state.tab)
    if chosen is not None and chosen < len(state.links):
        state.links[chosen](state)
    elif state.lesson is not None:
        next_beat(state)


def help(state: State) -> None:
    state.help = not state.help
    state.scroll.pop("help", None)


def cancel(state: State) -> None:
    state.help = False
    state.playing = False
    if state.job is not None:
        state.job, state.job_text = None, ""
        state.message = "stopped"
    state.selected.pop(state.tab, None)
    state.part = ""
    state.core = None


def up_level(state: State) -> None:
    if state.help:
        state.help = False
    else:
        state.leave = "up"


def quit(state: State) -> None:
    state.leave = "quit"


def theme(state: State) -> None:
    state.leave = "theme"


def palette(state: State) -> None:
    state.leave = "palette"


ACTIONS: dict[str, Callable[[State], None]] = {
    f.__name__: f
    for f in (
        forward, back, larger_step, smaller_step, play, faster, slower, start, end, next_beat, previous_beat,
        goto, find, find_next, find_previous, break_at, break_back, why, packet, inspect, what_if,
        next_branch, closer, next_view, marked, compare, next_chart, zoom_in, zoom_out, core_up, core_down, next_tab,
        previous_tab, down, up, enter, help, cancel, up_level, quit, theme, palette,
    )
}  # fmt: skip
