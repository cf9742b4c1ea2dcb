"""The stages a core runs a batch through: in one row, or one below the other with the packets where they are.

Invariant: exactly one stage carries `▸` while the core is in one of them, none otherwise; columns do not move with it.
"""

from collections.abc import Mapping, Sequence

from .cells import Content, Line, Lines, Span, fit, line, sides
from .cells import width as cell_width
from .numbers import count
from .signs import HERE, PACKET


def pipeline(
    name: str,
    stages: Sequence[str],
    at: int | None,
    width: int,
    note: Content = "",
    *,
    name_width: int = 10,
    stage_width: int = 9,
) -> Line:
    """`core 0    ▸poll     tcp      app      batch of 4`, exactly `width` cells.

    `at` is the index of the stage the core is in, None (or out of range) when it is in none. Narrow: the columns
    shrink to the longest stage; narrower, only the present stage and its number are shown.
    """
    head = fit(name, name_width)
    longest = max(map(cell_width, stages), default=0)
    room = width - name_width - cell_width(note)
    column = min(stage_width, room // max(len(stages), 1))
    current = at if at is not None and 0 <= at < len(stages) else None
    if column < longest + 1:
        where = f"{HERE}{stages[current]} ({current + 1} of {len(stages)})  " if current is not None else " -  "
        return fit((*head, *line(Span(where, "here")), *line(*_spans(note))), width)
    spans = list(head)
    for i, stage in enumerate(stages):
        here = i == current
        spans.extend(fit((Span((HERE if here else " ") + stage, "here" if here else ""),), column))
    return fit((*spans, *_spans(note)), width)


def _spans(content: Content) -> Line:
    return (Span(content),) if isinstance(content, str) else content


def pipeline_vertical(
    stages: Sequence[tuple[str, str]],
    at: int | None,
    packets: Mapping[int, int],
    width: int,
    *,
    marks: Mapping[int, str] | None = None,
    indent: int = 2,
    name_width: int = 9,
) -> Lines:
    """One line a stage: `▸poll     ■■■■■■`, ` tx       doorbell: all six leave here`.

    `stages` are (name, what happens there); `packets` maps a stage's index to the packets in it now, drawn before the
    description. `marks` maps a packet's place in the batch at `at` to a letter drawn instead of its `■`.
    """
    rows = []
    for i, (stage, text) in enumerate(stages):
        here = i == at
        spans = [Span(" " * indent), Span(HERE if here else " ", "here")]
        spans.extend(fit((Span(stage, "here" if here else ""),), name_width))
        if packets.get(i, 0) > 0:
            room = width - indent - 1 - name_width
            spans.extend(packet_row(packets[i], min(room, 32), marks if here else None))
            spans.append(Span("  "))
        spans.append(Span(text, "" if here else "dim"))
        rows.append(fit(tuple(spans), width))
    return rows


def packet_row(packets: int, room: int, marks: Mapping[int, str] | None = None) -> Line:
    """`■■■■■■`, at most `room` cells; more packets than fit end with their number: `■■■■■■ 1,204`."""
    if packets <= room:
        shown, tail = packets, ""
    else:
        tail = f" {count(packets)}"
        shown = room - len(tail)
        if shown < 1:
            return fit(count(packets), room)
    letters = marks or {}
    text = "".join(letters.get(i, PACKET)[:1] or PACKET for i in range(shown)) if letters else PACKET * shown
    return fit((Span(text, "busy"), Span(tail)), shown + len(tail))


def core_head(name: str, clock: str, note: str, width: int) -> Line:
    """`core 0  2.4 GHz                         batch 3 of 6`."""
    return sides(line(Span(name, "bold"), f"  {clock}" if clock else ""), note, width)
