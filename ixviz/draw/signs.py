"""Every non-ASCII sign a picture of ours uses, with its one meaning and its ASCII twin of one cell.

Invariant: a sign has one meaning; none has an emoji form; a twin is one printable ASCII character.
"""

from typing import NamedTuple


class Sign(NamedTuple):
    """A sign, the ASCII character that stands for it under --ascii, and what it means wherever it is drawn."""

    sign: str
    twin: str
    meaning: str


HERE, MOVED, NOW, ARRIVAL = "▸", "»", "▲", "▾"
PACKET, OCCUPIED, FREE = "■", "█", "·"
BATCH_START, BATCH_END, BATCH_RUN, BATCH_TINY, BATCH_MANY = "▕", "▏", "─", "│", "▓"
SCRUB, LIMIT, CUT, BLANK = "┊", "┄", "…", "░"
DIFFERS = "≠"
MORE = "+"  # in a cell of a gauge, a bar or a lane: more than can be shown there
LEVELS = "▁▂▃▄▅▆▇█"  # heights, for sparklines and columns
PARTS = "▎▎▍▌▋▊▉"  # 1/8 to 7/8 of a bar's last cell; 1/8 is drawn as 2/8, since ▏ means the end of a batch

SIGNS = (
    Sign(HERE, ">", "where the machine is; what is chosen; a batch that still runs"),
    Sign(MOVED, "}", "has just moved"),
    Sign(NOW, "^", "now"),
    Sign(ARRIVAL, "v", "one packet arrives"),
    Sign(PACKET, "o", "a packet"),
    Sign(OCCUPIED, "#", "occupied; a bar"),
    Sign(FREE, ".", "free; to come; never touched"),
    Sign(BATCH_START, "[", "a batch starts"),
    Sign(BATCH_END, "]", "a batch ends"),
    Sign(BATCH_TINY, "|", "a batch that takes one cell; a vertical line"),
    Sign(BATCH_MANY, "%", "several batches in one cell"),
    Sign(BATCH_RUN, "-", "a batch runs; a rule"),
    Sign(SCRUB, "!", "the time looked at"),
    Sign(LIMIT, "=", "a limit"),
    Sign(CUT, "~", "text is cut; up to"),
    Sign(BLANK, "/", "not shown yet"),
    Sign("▒", "&", "part of the load"),
    Sign("►", ">", "goes to"),
    *(Sign(s, t, "a height in eighths") for s, t in zip(LEVELS[:7], "_,;:*&%", strict=True)),
    *(Sign(s, ":", "part of a cell") for s in "▎▍▌▋▊▉"),
    *(Sign(s, "+", "lines meet") for s in "┌┐└┘├┤┬┴┼"),
    Sign("✓", "+", "right"),
    Sign("×", "x", "wrong; times"),
    Sign(DIFFERS, "!", "different; here the systems that are compared differ"),
    Sign("≤", "<", "at most"),
    Sign("≥", ">", "at least"),
    Sign("↵", "$", "the Enter key"),
    Sign("←", "<", "the left key"),
    Sign("→", ">", "the right key; becomes"),
    Sign("↑", "^", "the up key"),
    Sign("↓", "v", "the down key"),
    Sign("µ", "u", "micro"),
    Sign("μ", "u", "micro"),
    Sign("–", "-", "a range"),
    Sign("—", "-", "a dash"),
    Sign("‘", "'", "a quote"),
    Sign("’", "'", "a quote"),
    Sign("“", '"', "a quote"),
    Sign("”", '"', "a quote"),
    Sign("\u00a0", " ", "a space that does not break"),
)

TWINS = {s.sign: s.twin for s in SIGNS}
for _dots in range(256):  # braille: 0x01 0x02 0x08 0x10 are the upper half of the cell, the rest the lower
    _high, _low = _dots & 0x1B, _dots & 0xE4
    TWINS[chr(0x2800 + _dots)] = ":" if _high and _low else "'" if _high else "." if _low else " "
