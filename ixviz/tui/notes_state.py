"""The lecturer's second screen as it stands: what the presenter told last, and the same beat in a session of its own.

Invariant: the presenter decides all; what it tells is checked here, and what makes no sense is passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .lecture import choices_of, edition
from .present_state import Present
from .pressing import WAIT
from .votes import MOST
from .work import BUDGET

_TEXT = 400  # characters of a message
_PS = 2**62
VERSION = 1


def told(present: Present, width: int, height: int, lesson_edition: str) -> dict[str, Any]:
    """Everything the presenter's frame depends on, as a message."""
    state = present.state
    return {
        "ixviz": VERSION,
        "lesson": present.session.lesson.id,
        "edition": lesson_edition,
        "page": present.page,
        "beat": present.session.beat.id,
        "answered": present.answered,
        "event": state.branch.at,
        "now": state.branch.now,
        "playing": state.playing,
        "ready": not present.lesson.preparing,
        "blank": present.blank,
        "help": present.help,
        "votes": [list(counts) for counts in present.votes.of(present.session.beat.id)],
        "shown": present.shown,
        "typed": present.typed,
        "message": present.message[:_TEXT],
        "scroll": present.scroll,
        "used": present.used(),
        "first": present.first,
        "size": [width, height],
    }


def understood(message: Any) -> dict[str, Any] | None:
    """A message that has everything, of the right kind and size; None for any other."""
    if not isinstance(message, dict) or message.get("ixviz") != VERSION or not _number(message["ixviz"], VERSION):
        return None
    flags = ("answered", "playing", "ready", "blank", "help", "shown")
    numbers = {"event": _PS, "now": _PS, "scroll": 10_000, "used": 1_000_000, "first": 1_000}
    texts = ("lesson", "edition", "page", "beat", "message")
    good = (
        all(isinstance(message.get(name), bool) for name in flags)
        and all(_number(message.get(name), most) for name, most in numbers.items())
        and all(isinstance(message.get(name), str) and len(message[name]) <= _TEXT for name in texts)
        and message["page"] in ("size", "beat", "over")
        and "typed" in message
        and (message["typed"] is None or (isinstance(message["typed"], str) and len(message["typed"]) <= _TEXT))
    )
    size, votes = message.get("size"), message.get("votes")
    good = good and isinstance(size, list) and len(size) == 2 and all(_number(n, 1_000) for n in size)
    good = good and isinstance(votes, list) and len(votes) <= 2
    good = good and all(isinstance(v, list) and len(v) <= 6 and all(_number(n, MOST) for n in v) for v in votes or ())
    return message if good else None


def _number(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


class Notes:
    """What the notes view shows: `present` is a copy of the presenter's lecture, `why` says why there is none."""

    def __init__(self, session: Any, picture_of: Callable[[Any], Any], *, ascii: bool = False) -> None:
        self.present = Present(session, picture_of, ascii=ascii)
        self.present.given = 0
        self.edition = edition(session.lesson)
        self.why = "none"  # see follow.listen; "" while there is a presenter
        self.other = ""  # what is wrong with the presenter's lesson
        self.picture_only = False
        self.scroll = 0
        self.more = False  # whether there are more notes than lines for them
        self._last: dict[str, Any] | None = None

    @property
    def followed(self) -> bool:
        """Whether a presenter was heard, now or before."""
        return self._last is not None

    def heard(self, message: Any) -> None:
        """What the presenter has told. Nonsense is passed over."""
        known = understood(message)
        if known is None:
            return
        session = self.present.session
        beats = [beat.id for beat in session.beats]
        if known["lesson"] != session.lesson.id or known["beat"] not in beats:
            self.other = "the presenter shows another lesson"
            return
        if self._last is not None and self._last["beat"] != known["beat"]:
            self.scroll = 0
        changed = known["edition"] != self.edition
        self.other = "the lesson has changed since one of the two was started: start both again" if changed else ""
        self.why, self._last = "", known
        self.follow()

    def gone(self, why: str) -> None:
        """There is no presenter."""
        self.why = why

    def same(self) -> bool:
        """Whether the picture is the presenter's, not still on the way to it."""
        last = self._last
        return last is not None and not self._behind(last) and not (last["ready"] and self.present.lesson.preparing)

    def follow(self) -> None:
        """One move towards what the presenter shows; some of them have to wait for a simulation."""
        last, present = self._last, self.present
        if last is None:
            return
        present.sizing = last["page"] == "size"
        present.given, present.first = last["used"], last["first"]
        present.blank, present.help, present.shown = last["blank"], last["help"], last["shown"]
        present.typed, present.message, present.scroll = last["typed"], last["message"], last["scroll"]
        present.size = (last["size"][0], last["size"][1])
        with present.state.reading(WAIT) as free:
            if free:
                self._moves(last)
        present.shown, present.typed, present.scroll = last["shown"], last["typed"], last["scroll"]
        present.state.playing = last["playing"]  # for the word in the footer; nothing plays here by itself
        beat = next(each for each in present.session.beats if each.id == last["beat"])
        fitting = [tuple(counts) for counts in last["votes"] if len(counts) in (0, choices_of(beat))]
        present.votes.set(last["beat"], fitting)

    def _moves(self, last: dict[str, Any]) -> None:
        present, session = self.present, self.present.session
        beats = [beat.id for beat in session.beats]
        if last["page"] == "over":
            if not present.lesson.over and not present.busy:
                present.arrive(len(beats))
            return
        if session.beat.id != last["beat"] or present.lesson.over:
            if not present.lesson.preparing:
                present.revealed.discard(last["beat"])
                present.arrive(beats.index(last["beat"]))
        elif present.answered != last["answered"]:
            if not present.busy and last["answered"]:
                present.reveal()
            elif not present.busy:
                present.hide()
        if session.beat.id == last["beat"] and present.answered == last["answered"]:
            branch = present.state.branch
            if branch.last() < last["event"]:
                branch.record(BUDGET)
            branch.seek(last["event"])
            branch.now = max(branch.now, min(last["now"], _PS))

    def _behind(self, last: dict[str, Any]) -> bool:
        present = self.present
        if last["page"] == "over":
            return not present.lesson.over
        there = present.session.beat.id == last["beat"] and present.answered == last["answered"]
        return not there or present.lesson.texts() is None or present.state.branch.at != last["event"]

    def tick(self) -> bool:
        """Let work in the background end, and go on following; whether the screen may have changed."""
        changed = self.present.lesson.tick()
        self.present.look_ahead()
        if self._last is not None and self._behind(self._last):
            self.follow()
            changed = True
        return changed
