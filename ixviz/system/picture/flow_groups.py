"""The flow groups: who owns each entry of the RETA, how many frames each core got by it, and the way of one packet.
Invariant: an entry stays in its place when its owner changes; what the moment does not know yet is not drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ixviz.draw.cells import Line, Lines, Span, fit
from ixviz.draw.grid import grid
from ixviz.draw.numbers import count
from ixviz.machine.reta import NAMES
from ixviz.system.picture.moments import Moment
from ixviz.system.picture.shown import Drawn

TITLE = "Flow groups: the core of each entry of the RETA"
HEAD = "core groups   frames    %"
_LETTERS = "0123456789abcdefghijklmnopqrstuv"
_GAP = " "


def flow_groups(moment: Moment, width: int, height: int, core_of: Sequence[int], packet: int | None = None,
                moved: Collection[int] = ()) -> list[Drawn]:  # fmt: skip
    """The RETA by owner, `core_of[queue]` being the core of a queue; the way of `packet`; groups that just `moved`.

    At most `height` lines: the title, the grid with each core's share beside it (below where it is narrow), the packet.
    """
    owners = [core_of[getattr(moment.view["nic.reta"], name)] for name in NAMES]
    got = dict.fromkeys(sorted(set(core_of)), 0)
    for queue, core in enumerate(core_of):
        ring = moment.view[f"nic.q{queue}"]
        got[core] += ring.tail + ring.drops
    group = _group(moment, packet)
    return owned(width, height, owners, got, group, _way(moment, packet, group, core_of), moved)


def owned(width: int, height: int, owners: Sequence[int], got: Mapping[int, int | None], group: int, way: str,
          moved: Collection[int] = ()) -> list[Drawn]:  # fmt: skip
    """The same from plain values: each group's owner, the frames each core `got` (None: not known), the marked group
    (-1 none), and the last line."""
    styles = {i: f"core{owner % 8}" for i, owner in enumerate(owners)} | ({group: "mark"} if group >= 0 else {})
    letters = [_letter(o) for o in owners]
    table = grid(letters, width, moved=moved, styles=styles)
    taken = max(len("".join(s.text for s in row).rstrip()) for row in table)
    title: Line = fit(TITLE, width, "title")
    if width - taken - len(_GAP) >= len(HEAD):
        shares = [*_shares(got, owners, len(table)), *[()] * len(table)]
        title = (*fit(TITLE, taken, "title"), Span(_GAP + HEAD, "dim"))
        table = grid(letters, taken, moved=moved, styles=styles)
        table = [(*row, Span(_GAP), *share) for row, share in zip(table, shares, strict=False)]
    elif height - len(table) - 2 > 2:
        table += [(Span(HEAD, "dim"),), *_shares(got, owners, height - len(table) - 3)]
    rows: Lines = [title, *table][: max(height - 1, 1)]
    if len(rows) < height:
        rows.append((Span(way),))
    return [Drawn(fit(row, width), "nic.reta") for row in rows]


def _letter(core: int) -> str:
    """A core in one cell: 0 … 9, then a, b, …; its number where there are more."""
    return _LETTERS[core] if core < len(_LETTERS) else str(core)


def _group(moment: Moment, packet: int | None) -> int:
    """The flow group of a packet that has arrived; -1 for none."""
    if packet is None or not 1 <= packet <= moment.packets:
        return -1
    feed = moment.sim.feed
    return int(feed.group_of(feed.packets.flow[packet]))


def _shares(got: Mapping[int, int | None], owners: Sequence[int], room: int) -> list[Line]:
    """`a 10      8    1,204   27` under HEAD, a line a core; the fullest ones where there is no room for all."""
    total = sum(n or 0 for n in got.values())
    lines: list[Line] = []
    for core, n in got.items():
        share = f"{100 * n / total:5.0f}" if total and n is not None else "    –"
        name = str(core) if core < 10 else f"{_letter(core)} {core}"
        frames = "–" if n is None else count(n)
        lines.append((Span(f"{name:>4}{owners.count(core):>7}{frames:>9}{share}", f"core{core % 8}"),))
    if len(lines) <= room:
        return lines
    fullest = sorted(sorted(got, key=lambda core: (-(got[core] or 0), core))[: room - 1])
    rest = Span(f"and {len(lines) - len(fullest)} with fewer", "dim")
    return [*(line for core, line in zip(got, lines, strict=True) if core in fullest), (rest,)]


def _way(moment: Moment, packet: int | None, group: int, core_of: Sequence[int]) -> str:
    """`packet 12, flow 7: hash & 127 = 19, entry 19 says q3, core 3`."""
    if packet is None or not 1 <= packet <= moment.packets:
        return "the low 7 bits of a frame's hash are its group; the entry names the queue"
    table = moment.sim.feed.packets
    queue = table.queue[packet]
    where = f"q{queue}, core {core_of[queue]}"
    if group < 0:
        return f"packet {packet:,}: no hash, so it goes to {where}"
    return f"packet {packet:,}, flow {table.flow[packet]:,}: hash & 127 = {group}, whose entry said {where}"


__all__ = ["TITLE", "flow_groups", "owned"]
