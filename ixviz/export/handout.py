"""A lesson as a page: what is said, the machine at each stop, the questions; with the answers for the teacher.

Invariant: without `key` a beat's section depends on nothing after its stop, but for what its author has `given`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ixviz.draw.signs import SIGNS
from ixviz.export.frame import Frames
from ixviz.export.sheet import Blank, Block, Choices, Items, Picture, Say, Section, Sheet
from ixviz.lesson.model import Beat, Lesson, Task
from ixviz.lesson.plain import minutes, spoken, stopped
from ixviz.lesson.runs import Runs
from ixviz.lesson.session import Phase, Session

_ASKED = {"task": "Try", "find": "Find"}
_IN_WORDS = frozenset("µμ×–—…‘’“”\u00a0")  # signs of texts, which need no explanation
_FIRST = "Answer each question before you read on: the next step tells what became of this one."


def handout(lesson: Lesson, route: str = "alone", key: bool = False) -> Sheet:
    """The lesson to be handed out, or with `key` to be corrected by. May simulate for seconds. Raises LessonError."""
    runs, frames = Runs(lesson), Frames()
    beats = enumerate(lesson.route(route), start=1)
    sections = tuple(_section(session_at(lesson, beat, runs), number, frames, key) for number, beat in beats)
    first: list[Block] = [] if key else [Blank("Name"), Say(_FIRST)]
    title = f"{lesson.title}: the answers" if key else lesson.title
    return Sheet(title, (*_head(lesson), *first), sections, tuple(_foot(frames)))


def script(lesson: Lesson, route: str = "lecture", key: bool = False) -> Sheet:
    """What the lecturer has in the hand: notes, minutes, questions, on one page. Raises LessonError."""
    runs = Runs(lesson)
    sections, begins = [], 0.0
    for number, beat in enumerate(lesson.route(route), start=1):
        blocks = tuple(_scripted(session_at(lesson, beat, runs), key))
        aside = f"at {int(begins)}:{round(begins * 60) % 60:02}, {_min(beat)}"
        sections.append(Section(f"{number}. {beat.title}", aside, blocks))
        begins += beat.minutes
    title = f"{lesson.title}: the lecturer's script"
    return Sheet(title, (Say(minutes(lesson)),), tuple(sections), dense=True)


def session_at(lesson: Lesson, beat: Beat, runs: Runs) -> Session:
    """A session of this beat alone, where it stops, its question open."""
    return Session(replace(lesson, beats=(beat,)), runs=runs)


# ----------------------------------------------------------------------------------------------- head and foot
def _head(lesson: Lesson) -> Iterator[Block]:
    if lesson.summary:
        yield Say(lesson.summary)
    yield Say(minutes(lesson) + (f" Needs {', '.join(lesson.needs)}." if lesson.needs else ""))
    if lesson.goals:
        yield Say("Afterwards you can")
        yield Items(tuple(goal[:1].lower() + goal[1:] for goal in lesson.goals))


def _foot(frames: Frames) -> Iterator[Block]:
    """What the signs of the pictures mean, and what the model leaves out."""
    twins: dict[str, list[str]] = {}
    for sign in SIGNS:
        if sign.sign in frames.signs - _IN_WORDS:
            twins.setdefault(sign.meaning, []).append(sign.twin)
    if twins:
        yield Choices(tuple((" ".join(dict.fromkeys(of)), meaning) for meaning, of in twins.items()), boxes=False,
                      label="Signs in the pictures")  # fmt: skip
    for remark, runs in frames.remarks().items():
        yield Say(remark if len(runs) == len(frames.drawn) else f"{', '.join(runs)} · {remark}")


def _min(beat: Beat) -> str:
    return f"{beat.minutes:g} min"


# ----------------------------------------------------------------------------------------------- a beat
def _section(session: Session, number: int, frames: Frames, key: bool) -> Section:
    beat, texts = session.beat, session.texts()
    blocks: list[Block] = [Say(texts.say)] if texts.say else []
    blocks.append(Picture(frames.text(session)))
    if session.phase is Phase.ASKING:
        blocks.append(Say(texts.ask, _ASKED.get(session.action or "", "Predict")))
        blocks += [block for block in _asked(session) if not (key and isinstance(block, Blank))]
        if key:
            blocks += _answered(session)
            texts = session.texts()
        else:
            blocks.append(Blank("Because", lines=1))
    blocks += [Say(texts.why, "Why")] if texts.why else []
    blocks += [Say(texts.leaves_out, "Not modelled")] if texts.leaves_out else []
    return Section(f"{number}. {beat.title}", _min(beat), tuple(blocks))


def _asked(session: Session) -> Iterator[Block]:
    """What can be ticked, and where an answer is written."""
    texts, action = session.texts(), session.beat.action
    rows = tuple((choice.letter, choice.text) for choice in texts.choices)
    if session.action == "find":
        yield Choices(rows, label="The part")
        yield Choices(tuple((rule.letter, rule.text) for rule in texts.rules), label="The rule that it breaks")
    elif session.action == "order":
        yield Choices(rows, boxes=False)
        yield Blank("In order", texts.wanted)
    elif isinstance(action, Task):
        yield Blank("Answer", texts.wanted)
    elif rows:
        yield Choices(rows)
    else:
        yield Blank("Answer", texts.wanted)
    if session.action in ("task", "find"):
        yield Say("This one is done on the screen, with the machine.")


def _answered(session: Session) -> Iterator[Block]:
    outcome = session.skip()
    label = "One that works" if session.action == "task" else "Answer"
    yield Say(stopped(spoken(outcome.was_letter, outcome.was)), label)


def _scripted(session: Session, key: bool) -> Iterator[Block]:
    beat = session.beat
    if session.phase is Phase.ASKING:
        texts = session.texts()
        rows = (f"**{choice.letter}** {stopped(choice.text)}" for choice in (*texts.choices, *texts.rules))
        wanted = [] if session.action in ("choose", "point", "find") else [f"({texts.wanted})"]
        yield Say(" ".join([texts.ask, *rows, *wanted]), _ASKED.get(session.action or "", "Ask"))
        if key:
            yield from _answered(session)
    if beat.notes:
        yield Say(beat.notes, "Notes")
