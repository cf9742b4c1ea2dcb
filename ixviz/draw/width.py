"""How many terminal cells a text takes, and how foreign text is made safe to show.

Invariant: width is additive over spans, because what cannot stand alone (a combining sign without a base, a joiner
without an emoji on both sides, a control) is shown escaped.
"""

import re
import unicodedata
from functools import lru_cache

# Text made of these alone takes one cell a character; nearly every text we draw matches, at the speed of C.
_SIMPLE = re.compile(
    "[ -~\u00a0-\u00ac\u00ae-\u02ff\u0391-\u03c9"  # Latin, Greek
    "\u2010-\u2027\u2030-\u205e\u2190-\u2319\u2500-\u25fc\u2713\u2800-\u28ff]*"  # signs, boxes, blocks, braille
).fullmatch
_ZWNJ, _ZWJ, _EMOJI_STYLE = "\u200c", "\u200d", "\ufe0f"
# One-cell characters that VS16 turns into a two-cell emoji.
_EMOJI_FORM = re.compile(
    "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u2328\u23cf\u23ed-\u23fa\u24c2\u25aa\u25ab"
    "\u25b6\u25c0\u25fb\u25fc\u2600-\u27bf\u2934\u2935\u2b05-\u2b07\u3030\u303d\u3297\u3299\U0001f170-\U0001f1e5\U0001f200-\U0001f6ff]"
).match
_FILLERS = "\u115f\u3164\uffa0"  # letters that show nothing
_WIDE_SINCE_16 = frozenset(
    map(chr, (*range(0x2630, 0x2638), *range(0x268A, 0x2690), *range(0x4DC0, 0x4E00), *range(0x1D300, 0x1D377)))
)
_ESCAPED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def is_simple(text: str) -> bool:
    """Whether every character of `text` takes exactly one cell and needs no escape."""
    # Printable ASCII, most of what is drawn, is seen without the pattern: a third of the time.
    return (text.isascii() and text.isprintable()) or _SIMPLE(text) is not None


@lru_cache(1 << 14)  # most of what a frame measures is what the frame before did: 4 % of its time
def simple_width(text: str) -> int:
    """The cells of a text that `is_simple`, and -1 of any other."""
    return len(text) if is_simple(text) else -1


def width(text: str) -> int:
    """The cells `text` takes once `literal`: wide East Asian and emoji two, combining none, controls as escaped."""
    cells = simple_width(text)
    return cells if cells >= 0 else sum(w for _, w in _clusters(text))


def literal(text: str) -> str:
    r"""`text` with everything that could move the cursor or hide made visible: ESC as `\x1b`, a newline as `\n`.

    Also escaped: bidirectional and other invisible format characters, lone surrogates, unassigned code points, and
    combining signs without a base. Idempotent. Backslashes and brackets are text and stay as they are.
    """
    return text if _SIMPLE(text) else "".join(c for c, _ in _clusters(text))


def clusters(text: str) -> list[tuple[str, int]]:
    """The pieces of `literal(text)` that must not be cut apart, each with its width in cells (1 or 2, or an escape)."""
    return [(c, 1) for c in text] if _SIMPLE(text) else list(_clusters(text))


@lru_cache(4096)
def _clusters(text: str) -> tuple[tuple[str, int], ...]:
    out: list[tuple[str, int]] = []
    base = ""  # the first character of the last cluster, "" when nothing may attach to it
    for i, c in enumerate(text):
        if base:
            cluster, cells = out[-1]
            joined = _attach(cluster, cells, base, c, text[i + 1] if i + 1 < len(text) else "")
            if joined:
                out[-1] = joined
                continue
        cells = _cells(c)
        if cells:
            out.append((c, cells))
            base = c
        else:
            out.extend((e, 1) for e in _escape(c))
            base = ""
    return tuple(out)


def _attach(cluster: str, cells: int, base: str, c: str, after: str) -> tuple[str, int] | None:
    """The last cluster with `c` added, or None when `c` begins a cluster of its own."""
    if cluster[-1] == _ZWJ:
        return cluster + c, cells
    if c == _ZWJ:
        return (cluster + c, cells) if cells == 2 and after and _pictorial(base) and _pictorial(after) else None
    if c == _EMOJI_STYLE:
        return cluster + c, (2 if _EMOJI_FORM(base) else cells)
    if _skin_tone(c):
        return (cluster + c, cells) if cells == 2 and _pictorial(base) else None
    if _flag_letter(c):
        return (cluster + c, 2) if len(cluster) == 1 and _flag_letter(cluster) else None
    if c == _ZWNJ or _combining(c):
        return cluster + c, cells
    return None


def _cells(c: str) -> int:
    """Cells of a character standing alone; 0 means that it cannot and is escaped."""
    if (
        unicodedata.category(c) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp")
        or _combining(c)
        or _skin_tone(c)
        or c in _FILLERS
    ):
        return 0
    # Trigrams and hexagrams became wide with Unicode 16, which Python's table may not know.
    wide = unicodedata.east_asian_width(c) in "WF" or c in _WIDE_SINCE_16
    return 2 if wide else 1


def _combining(c: str) -> bool:
    # Medial vowels and final consonants of Hangul join the syllable before them, though they are letters (Lo).
    return unicodedata.category(c) in ("Mn", "Me", "Mc") or "\u1160" <= c <= "\u11ff" or "\ud7b0" <= c <= "\ud7fb"


def _pictorial(c: str) -> bool:
    return (unicodedata.category(c) == "So" and not _flag_letter(c)) or c in "\u2194\u203c\u2049"


def _skin_tone(c: str) -> bool:
    return "\U0001f3fb" <= c <= "\U0001f3ff"


def _flag_letter(c: str) -> bool:
    return "\U0001f1e6" <= c <= "\U0001f1ff"


def _escape(c: str) -> str:
    n = ord(c)
    return _ESCAPED.get(c) or (f"\\x{n:02x}" if n < 0x100 else f"\\u{n:04x}" if n < 0x10000 else f"\\U{n:08x}")
