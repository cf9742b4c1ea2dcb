"""What is said of the lesson as a whole: minutes, the letters of right choices, what it needs, where facts are from.

Invariant: needs no run; what only a run can tell is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from ixviz.lesson import load
from ixviz.lesson.model import Lesson, place_of
from ixviz.scenario.messages import Problem, cut, did_you_mean

_ID = re.compile(r"^id: *[\"']?([a-z0-9-]+)", re.M)
_MEANT = re.compile(r"(?:https?:|www\.|[a-z]+://)\S*", re.I)  # whatever else stands in `sources` is no link
_FEW = 3  # up to so many choices any letter may be the right one of most


def minutes(lesson: Lesson) -> Iterator[Problem]:
    """The minutes of each route are the sum of its beats'."""
    for route, given in lesson.minutes.items():
        total = sum(beat.minutes for beat in lesson.route(route))
        if abs(total - given) > 1e-9:
            yield lesson.minutes_place.problem(f"{route} is {given:g} minutes, its beats add up to {total:g}")
    if "alone" not in lesson.minutes:
        yield lesson.minutes_place.problem("minutes needs alone")
    if lesson.route("lecture") and "lecture" not in lesson.minutes:
        yield lesson.minutes_place.problem("there are beats of the route lecture, and no minutes for it")


def letters(lesson: Lesson, right: Sequence[str]) -> Iterator[Problem]:
    """No letter is right in more than half of the choices."""
    for letter in sorted(set(right)):
        if len(right) > _FEW and right.count(letter) * 2 > len(right):
            share = f"{right.count(letter)} of {len(right)}"
            yield lesson.place.problem(f"{letter} is the right letter of {share} choices, more than half")


def links(lesson: Lesson) -> Iterator[Problem]:
    """Lessons in `needs` exist, links in `sources` have the form of one."""
    known: set[str] = ids(lesson) if lesson.needs else set()
    for name in lesson.needs:
        place = place_of(name, lesson.place)
        if name == lesson.id:
            yield place.problem("a lesson cannot need itself")
        elif name not in known:
            yield place.problem(f"there is no lesson {cut(name)}{did_you_mean(name, sorted(known))}")
    for beat in lesson.beats:
        for source in beat.sources:
            for link in _MEANT.findall(source):
                if not _link(link):
                    yield place_of(source, beat.place).problem(f"sources: {cut(link)} is no link: https://… is wanted")


def ids(lesson: Lesson) -> set[str]:
    """The ids of the bundled lessons and of those in the folders beside this one's."""
    paths = list(load.bundled_lessons())
    if lesson.path is not None:
        paths += sorted(lesson.path.resolve().parent.parent.glob(f"*/{load.FILE}"))
    return {found for path in paths for found in _id(path)} - {lesson.id}


def _id(path: Path) -> list[str]:
    try:
        return _ID.findall(path.read_text("utf-8", "replace"))[:1]
    except OSError:
        return []


def _link(link: str) -> bool:
    try:
        parts = urlsplit(link)
        return parts.scheme in ("http", "https") and "." in (parts.hostname or "")
    except ValueError:
        return False
