"""As much of lesson.Session as progress needs, with as many questions as wanted; and a child that answers them fast.

Run as a program: `fake_session.py FOLDER WHO COUNT [SHARED]`. It says `try N` before and `done N` after each answer.
"""

import sys
from pathlib import Path
from types import SimpleNamespace

from ixviz.progress import Store


class FakeSession:
    """A lesson of `count` questions q0, q1 … Answering moves on."""

    def __init__(self, count: int = 5, lesson: str = "fake") -> None:
        actions = [SimpleNamespace(ask=f"Question {i}?") for i in range(count)]
        self.beats = tuple(SimpleNamespace(id=f"q{i}", title=f"Title {i}", action=a) for i, a in enumerate(actions))
        self.lesson = SimpleNamespace(id=lesson, title="A lesson", beats=self.beats)
        self.index, self.phase, self.review, self.listener = 0, "asking", False, None
        self.results: dict[str, str] = {}
        self.said: dict[str, str] = {}
        self.reviewed: dict[str, str] = {}

    @property
    def beat(self):
        return self.beats[self.index]

    def restore(self, results, said, reviewed, at, done):
        self.results, self.said, self.reviewed = dict(results), dict(said), dict(reviewed)
        self.index = next(i for i, beat in enumerate(self.beats) if beat.id == at)

    def go_on(self) -> bool:
        if self.index + 1 < len(self.beats):
            self.index += 1
        else:
            self.phase = "over"
        if self.listener is not None:
            self.listener(self)
        return self.phase != "over"

    def close(self, beat: str, result: str, said: str = "") -> None:
        """An answer to a question, wherever it stands."""
        self.results[beat] = result
        if said:
            self.said[beat] = said
        if self.listener is not None:
            self.listener(self)


def main(folder: str, who: str, count: str, shared: str = "0") -> None:
    """Answer all questions: the first `shared` of them whoever this is, of the others those that are still open."""
    session = FakeSession(int(count))
    store = Store(Path(folder))
    store.attach(session)
    for i, beat in enumerate(session.beats):
        if i >= int(shared) and (beat.id in session.results or (int(shared) and i % 2 != ord(who) % 2)):
            continue
        print("try", i, flush=True)
        session.index = i
        session.close(beat.id, "right" if ord(who) % 2 else "wrong", who)
        seen = store.read("fake").answers[beat.id].said if int(shared) else ""
        print("done", i, seen, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
