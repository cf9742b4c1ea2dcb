"""The list of every key, and of every sign.

Invariant: made from the table of keys and the table of signs, so it cannot miss one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ixviz.draw import rule
from ixviz.draw.cells import Content, Lines, Span, fit, vjoin
from ixviz.draw.prose import prose
from ixviz.draw.signs import SIGNS

from .keys import KEYS
from .state import State

_SIGNS = "▸»▲▾■█·▕▏│▓┊┄"


def help_lines(state: State, width: int, height: int) -> Lines:
    """The whole screen, scrolled by ↑ ↓."""
    items = [(Span(f"{state.keys(k.shown):>9}  ", "key"), Span(state.branch.named(k.help))) for k in KEYS]
    if state.lesson is not None:
        items[:0] = [
            (
                Span("      a-f  ", "key"),
                Span(state.keys("choose an answer, a part, what comes next in an order; ↵ answers")),
            ),
            (Span("      0-9  ", "key"), Span("type a number; of a fault the rule; backspace takes one back")),
            (Span("        h  ", "key"), Span("a hint, while a question is open")),
            (Span("        s  ", "key"), Span("skip the question: it counts as unanswered")),
            (Span("    click  ", "key"), Span("on a part of the machine that is asked about chooses it")),
        ]
    signs = [(Span(f"{s.sign:>9}  ", "key"), Span(s.meaning)) for s in SIGNS if s.sign in _SIGNS]
    signs += [(Span("        P  ", "key"), Span(f"the {state.branch.picture.noun} you follow"))]
    rows: Lines = []
    columns = 2 if width >= 140 else 1
    per = -(-len(items) // columns)
    for i in range(per):
        row = [fit(items[i + c * per] if i + c * per < len(items) else "", width // columns) for c in range(columns)]
        rows.append(tuple(s for part in row for s in part))
    rows += [(), (Span("Signs", "title"),), *signs, (), (Span("Words", "title"),), *_words(state, width), ()]
    rows.append((Span("The mouse: a click in the lanes goes to that time, on a part looks into it,"),))
    rows.append((Span("on a tab shows it; the wheel scrolls the panel."),))
    return page(state, rows, width, height)


def page(state: Any, rows: Sequence[Content], width: int, height: int) -> Lines:
    """The whole screen, scrolled by ↑ ↓, of any state that has `scroll` and `keys`."""
    room = height - 2
    first = state.scroll["help"] = min(state.scroll.get("help", 0), max(len(rows) - room, 0))
    more = f"↓ {len(rows) - first - room} more lines" if len(rows) - first > room else "? closes"
    body = vjoin([rule.rule(width, "Keys", more)], rows[first : first + room], width=width, height=height - 1)
    return [*body, rule.footer([rule.Key(state.keys("↑ ↓"), "scroll"), rule.Key("? q esc", "close")], width)]


def listed(items: Iterable[tuple[str, str]], width: int, name: int = 9) -> Lines:
    """Names in a column `name` cells wide, and beside each its meaning on as many lines as it needs."""
    rows: Lines = []
    for word, meaning in items:
        for i, row in enumerate(prose(meaning, max(width - name - 2, 1))):
            rows.append((Span(f"{'' if i else word:>{name}}  ", "key"), *row))
    return rows


def _words(state: State, width: int) -> Lines:
    """The words of the system."""
    glossary = state.branch.picture.glossary
    return listed(glossary, width, max([9, *(len(word) for word, _ in glossary)]))
