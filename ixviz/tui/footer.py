"""The last line: the keys that matter now, or the line being typed.

Invariant: it never names a key that does nothing at the moment.
"""

from __future__ import annotations

from ixviz.draw.cells import Line, Span, fit
from ixviz.draw.rule import Key, footer

from .state import State
from .work import Prompt

GOES = "   ↵ goes, esc leaves"


def footer_line(state: State, width: int) -> Line:
    """One line of `width` cells."""
    if state.prompt is not None:
        return prompt_line(state.prompt, state.keys(GOES), width)
    if state.lesson is not None:
        return footer(_named(state, _lesson(state)), width)
    keys = [
        Key("← →", "step", 9),
        Key("space", "pause" if state.playing else "play", 8),
        Key("- +", "step size", 6),
        *([Key("< >", "speed", 8)] if state.playing else []),
        Key("w", "why", 6),
        Key("x", "what if", 5),
        Key("g", "go to", 4),
        Key("/", "find", 3),
        Key("b", "break", 2),
        *([Key("c", "compare", 4)] if state.branch.scenario.workload.kind != "none" else []),
        Key("p", state.branch.picture.noun, 1),
        Key("?", "help", 10),
        Key("q", "quit", 10),
    ]
    return footer(_named(state, keys), width)


def _named(state: State, keys: list[Key]) -> list[Key]:
    return [key._replace(key=state.keys(key.key)) for key in keys]


def _lesson(state: State) -> list[Key]:
    """What the keys do in the present phase of a lesson."""
    lesson = state.lesson
    if lesson.over:
        return [Key("q", "lesson list", 9), Key("PgUp", "back", 2), Key("?", "help", 8)]
    if lesson.asking:
        texts = lesson.texts()
        if texts is None:
            return [Key("?", "help", 8), Key("q", "lesson list", 7)]
        return [
            *_choosing(state),
            *([Key("h", "hint", 4)] if lesson.hints_left() else []),
            Key("s", "skip", 3),
            *_looking(state),
            Key("?", "help", 8),
            Key("q", "lessons" if lesson.session.action == "find" else "lesson list", 7),
        ]
    if lesson.figures(state):
        return [
            Key("↵", "go on", 10),
            Key("PgUp", "beat before", 3),
            Key("m", "the machine", 4),
            Key("?", "help", 9),
            Key("q", "lessons", 8),
        ]
    ends = state.branch.limit is not None and state.branch.at >= state.branch.limit
    return [
        Key("↵", "go on", 10),
        *([Key("←", "step back", 8)] if ends else [Key("← →", "step", 8)]),
        *([] if ends else [Key("space", "pause" if state.playing else "play", 7)]),
        Key("- +", "step size", 4),
        Key("w", "why", 6),
        Key("b", "break", 1),
        Key("g", "go to", 2),
        Key("/", "find", 2),
        Key("?", "help", 9),
        Key("q", "lessons", 8),
    ]


def _choosing(state: State) -> list[Key]:
    """The keys of the open question."""
    own, texts = state.lesson, state.lesson.texts()
    kind, n = own.session.action, len(texts.choices)
    letters = f"a-{'abcdef'[n - 1]}" if n else "0-9"
    if kind == "find":
        return [Key(letters, "part", 6), Key(f"1-{len(texts.rules)}", "rule", 6), Key("↵", "answer", 9)]
    if kind == "order":
        back = [Key("backspace", "take back", 2)] if own.typed else []
        return [Key(letters, "next", 5), *back, Key("↵", "answer", 9)]
    return [Key(letters, "choose" if n else "type", 5), Key("↵", "answer", 9)]


def _looking(state: State) -> list[Key]:
    """The keys that look at the machine while a question is open."""
    branch = state.branch
    if state.lesson.figures(state) or state.busy:
        return []
    if state.lesson.session.action == "find":
        return [Key("← →", "step", 1), Key("u U", "break", 3), Key("w", "why", 2)]
    return [Key("←", "look back", 1)] if branch.last() else []


def prompt_line(prompt: Prompt, tail: str, width: int) -> Line:
    """The line being typed, its end if it is long; `tail` says which keys end it."""
    head = f"{prompt.ask}: "
    room = max(width - len(head) - min(len(tail), width // 2) - 1, 8)
    typed = prompt.text[-room:]
    style = "choice" if prompt.kept else "bold"
    return fit((Span(head, "key"), Span(typed, style), Span("█", "now"), Span(tail, "dim")), width)
