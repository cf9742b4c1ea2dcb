"""What the menu lists: the bundled lessons and scenarios, from the heads of their files.

Invariant: only what exists is listed, and nothing is loaded to list it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    """A line of the menu: `kind` is lesson or scenario, `text` what stands behind the name, `about` the longer word."""

    kind: str
    path: Path
    name: str
    text: str
    about: str


def entries(progress: Callable[[Path], str] | None = None) -> list[Entry]:
    """All bundled lessons and scenarios."""
    from ixviz.scenario.load import bundled, list_bundled

    out: list[Entry] = []
    try:
        from ixviz.lesson.load import find_lesson, list_lessons

        lessons = [Path(find_lesson(name)) for name in list_lessons()]
    except ImportError:
        lessons = []
    for path in lessons:
        head = _head(path)
        number = re.match(r"(\d+)", path.parent.name)
        minutes = head.get("minutes.alone") or head.get("minutes") or head.get("minutes.lecture")
        lecture = head.get("minutes.lecture")
        about = head.get("summary", "")
        if minutes:
            about += f" {minutes} minutes alone" + (f", {lecture} in a lecture." if lecture else ".")
        done = progress(path) if progress is not None else ""
        title = head.get("title", path.parent.name)
        name = f"{number.group(1)}  {title}" if number else title
        out.append(Entry("lesson", path, name, f"{minutes + ' min' if minutes else '':<8}  {done}".rstrip(), about))
    for known in list_bundled():
        path = bundled(known)
        head = _head(path)
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


def _head(path: Path) -> dict[str, str]:
    """`title`, `summary`, `minutes` of a block-style file, without parsing all of it."""
    found: dict[str, str] = {}
    inside = ""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")[:6_000]
    except OSError:
        return found
    for row in text.splitlines():
        match = re.match(r"^( *)(title|summary|minutes|lecture|alone):\s*(.*?)\s*(?:#.*)?$", row)
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
