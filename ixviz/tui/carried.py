"""What of a session is carried over to one of the same lesson, as it was saved meanwhile: the beat, and answers.

Invariant: an answer is carried over only to a question that asks the same, in whatever words it is explained.
"""

from __future__ import annotations

from typing import Any


def restore(session: Any, before: Any) -> None:
    """Take over what was answered in another session of the lesson as it was, and go to the beat it is at.

    An answer stays when its question is the same. Questions before the beat that are not count as skipped here: an
    author who changes one stays where he is.
    """
    known = {beat.id: beat for beat in before.beats}
    same = [b for b in session.beats if b.id in known and asked(b.action) == asked(known[b.id].action)]
    kept = {beat.id for beat in same}
    for mine, theirs in ((session.results, before.results), (session.said, before.said),
                         (session.reviewed, before.reviewed)):  # fmt: skip
        mine.clear()
        mine.update({beat: value for beat, value in theirs.items() if beat in kept})
    over = str(before.phase) == "over"
    index = len(before.beats) - 1 if over else before.index
    at = _nearest([beat.id for beat in session.beats], [beat.id for beat in before.beats], index)
    if before.review and before.beat.id in kept and session.beats[at].id == before.beat.id:
        session.restore({}, {}, done=True)
        if session.review:
            return
    for beat in session.beats[:at]:
        if beat.action is not None:
            session.results.setdefault(beat.id, "skipped")
    session.go_to(at)
    if over:
        session.go_on()


def _nearest(ids: list[str], old: list[str], index: int) -> int:
    """Where the beat is now; if it is gone, the nearest before it that is not."""
    for beat in reversed(old[: index + 1]):
        if beat in ids:
            return ids.index(beat)
    return 0


def asked(action: Any) -> tuple[str, ...]:
    """What a question asks, in words: two that ask the same have the same answers."""
    if action is None:
        return ()
    out = [type(action).__name__, _words(action.ask)]
    for part in (action, *(getattr(action, name, None) for name in ("number", "order", "point"))):
        for name in ("options", "items", "among", "rules"):
            out += [_words(each) for each in getattr(part, name, ())]
        out.append(str(getattr(part, "unit", "")))
    for knob, values in getattr(action, "knobs", {}).items():
        out += [knob, *(str(value.plain()) for value in values)]
    return tuple(out)


def _words(thing: Any) -> str:
    for name in ("say", "is_", "text", "name"):
        inner = getattr(thing, name, None)
        if inner is not None:
            return _words(inner)
    return " ".join(str(thing).split())
