"""What the menu lists: the bundled lessons and scenarios, from the heads of their files, and what was reached in each.

Invariant: only what exists is listed, and nothing is loaded to list it.
"""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from ixviz.draw.signs import FREE

RIGHT, WRONG, OPEN = "✓", "×", FREE  # a skipped question is an open one
LEGEND = f"{RIGHT} right   {WRONG} wrong at first   {OPEN} no answer yet"


class Entry(NamedTuple):
    """A line of the menu: `kind` is lesson or scenario, `text` what stands behind the name, `about` the longer word.

    `marks` has a sign for each question of a lesson, `reached` says how far the learner is; "" before the first visit.
    """

    kind: str
    path: Path
    name: str
    text: str
    about: str
    marks: str = ""
    reached: str = ""
    id: str = ""


def entries(progress: Any = None) -> list[Entry]:
    """All bundled lessons and scenarios; `progress` is asked with `read(id)` for what is kept of a lesson."""
    from ixviz.scenario.load import bundled, list_bundled

    out: list[Entry] = []
    try:
        from ixviz.lesson.load import find_lesson, list_lessons

        lessons = [Path(find_lesson(name)) for name in list_lessons()]
    except ImportError:
        lessons = []
    for path in lessons:
        text = _content(path)
        head = _head(text)
        number = re.match(r"(\d+)", path.parent.name)
        minutes = head.get("minutes.alone") or head.get("minutes") or head.get("minutes.lecture")
        lecture = head.get("minutes.lecture")
        about = head.get("summary", "")
        if minutes:
            about += f" {minutes} minutes alone" + (f", {lecture} in a lecture." if lecture else ".")
        title = head.get("title", path.parent.name)
        name = f"{number.group(1)}  {title}" if number else title
        known = head.get("id", "")
        record = progress.read(known) if progress is not None else None
        marks = signs(record) if record is not None else OPEN * questions(text)
        reached = words(record) if record is not None else ""
        text = f"{ceil(float(minutes))} min" if minutes else ""
        out.append(Entry("lesson", path, name, text, about, marks, reached, known))
    for known in list_bundled():
        path = bundled(known)
        head = _head(_content(path))
        out.append(
            Entry(
                "scenario",
                path,
                known,
                head.get("summary", ""),
                f"{head.get('title', known)}: {head.get('summary', '')}",
            )
        )
    return out


def signs(record: Any) -> str:
    """`✓×✓··`: a sign for each question, by its first answer."""
    known, counted = {"right": RIGHT, "wrong": WRONG}, record.counted
    return "".join(known.get(counted[q.id].result, OPEN) if q.id in counted else OPEN for q in record.questions)


def words(record: Any) -> str:
    """`next: 4, No controller`; once the end was reached `7 right, 1 to review`."""
    if not record.done:
        here = record.next
        return f"next: {here + 1}, {record.order[here].title}" if record.order else ""
    right, wrong, skipped = (record.count(kind) for kind in ("right", "wrong", "skipped"))
    parts = [f"{right} right"]
    if record.to_review:
        parts.append(f"{record.to_review} to review")
    elif wrong:
        parts.append(f"{wrong} reviewed")
    if skipped:
        parts.append(f"{skipped} skipped")
    if record.open:
        parts.append(f"{record.open} new")
    return ", ".join(parts)


def questions(text: str) -> int:
    """How many beats of a block-style lesson file ask something; 0 where the file is written otherwise."""
    _, found, beats = text.partition("\nbeats:")
    item = re.search(r"^( *- +)[a-z_]+:", beats, re.MULTILINE)
    if not found or item is None:
        return 0
    indent = len(item[1])
    return len(re.findall(rf"^(?: {{{indent}}}|{re.escape(item[1])})(?:predict|task|find):", beats, re.MULTILINE))


def _content(path: Path) -> str:
    try:
        return path.read_bytes()[:1_000_000].decode("utf-8", "replace")
    except OSError:
        return ""


def _head(text: str) -> dict[str, str]:
    """`id`, `title`, `summary`, `minutes` of a block-style file, without parsing all of it."""
    found: dict[str, str] = {}
    inside = ""
    for row in text[:6_000].splitlines():
        match = re.match(r"^( *)(id|title|summary|minutes|lecture|alone):\s*(.*?)\s*(?:#.*)?$", row)
        if match and not match.group(1):
            inside = key = match.group(2)
            value = match.group(3).strip("'\"")
            if value.startswith("{"):
                for part in re.findall(r"(lecture|alone):\s*(\d+)", value):
                    found[f"{key}.{part[0]}"] = part[1]
            elif value not in ("|", ">", ""):
                found[key] = value
        elif match and inside == "minutes":
            found[f"minutes.{match.group(2)}"] = match.group(3)
        elif (inside == "summary" and row.startswith(" ") and "summary" not in found) or (
            inside == "summary" and row.startswith("  ")
        ):
            found["summary"] = f"{found.get('summary', '')} {row.strip()}".strip()
        elif row and not row.startswith((" ", "#")):
            inside = ""
        if row.startswith(("runs:", "beats:", "machine:")):
            break
    return found
