"""What listens to a session and keeps each answer, and each beat reached, as it comes.

Invariant: only what is new since the last time is written, so what was reset meanwhile does not come back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ixviz.progress.record import Answer, Head, Record

if TYPE_CHECKING:
    from ixviz.progress.store import Store


class Keeper:
    """A session's listener. `opening` is what to tell the learner first; `tell`, which whoever shows the session may
    set, is called with a line when there is trouble, as a beat begins."""

    def __init__(self, store: Store, lesson: Any, order: tuple[Head, ...], session: Any) -> None:
        self.store, self.lesson, self.order = store, lesson, order
        self.opening = ""
        self.tell: Callable[[str], None] | None = None
        self._before: Callable[[Any], None] | None = session.listener
        self._known = self._answers(session)  # as the session has them, and the file already
        self._where: tuple[str | None, bool] | None = None
        self._lock = threading.Lock()  # a task is judged in a thread of its own

    def __call__(self, session: Any) -> None:
        """Writes what has changed; what could not be written is tried again the next time."""
        if self._before is not None:
            self._before(session)
        with self._lock:
            self._keep(session)
        # A screen shows the outcome of an answer in place of any message, so trouble waits for the next beat.
        if self.tell is not None and str(session.phase) != "answered":
            news = self.store.take()
            if news:
                self.tell(news)

    def _keep(self, session: Any) -> None:
        answers = self._answers(session)
        new = {beat: answer for beat, answer in answers.items() if self._known.get(beat) != answer}
        where = self._place(session)
        if not new and where == self._where:
            return
        if self.store.update(self.lesson.id, Record(self.lesson.title, self.order, new, *where)):
            self._known, self._where = answers, where

    def _answers(self, session: Any) -> dict[str, Answer]:
        prints = {head.id: head.fingerprint for head in self.order}
        return {
            beat: Answer(result, session.said.get(beat, ""), prints.get(beat, ""), session.reviewed.get(beat, ""))
            for beat, result in session.results.items()
        }

    @staticmethod
    def _place(session: Any) -> tuple[str | None, bool]:
        """The beat to go on with, None behind the end, and whether this is the end. What comes back is behind all."""
        if str(session.phase) == "over":
            return None, True
        return (session.beats[-1] if session.review else session.beat).id, False
