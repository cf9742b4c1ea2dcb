"""A lesson as text on standard input and output.

Invariant: no escape codes; what is printed before an answer depends on nothing after the beat's stop.
"""

from __future__ import annotations

from typing import TextIO

from ixviz.lesson.beside import shown, table, totals
from ixviz.lesson.judge import Outcome
from ixviz.lesson.model import Find, Lesson, Task
from ixviz.lesson.session import Phase, Session
from ixviz.lesson.stepper import scenario_plain
from ixviz.lesson.wrap import wrapped
from ixviz.measure.published import compared
from ixviz.scenario.messages import cut

WIDTH = 80
HELP = "Answer with a letter or a number; h hint, s skip."


class Plain:
    """Prints beats and reads answers. `echo`: the input is no terminal, so what was read is printed."""

    def __init__(self, session: Session, stdin: TextIO, stdout: TextIO) -> None:
        self.session, self.stdin, self.stdout = session, stdin, stdout
        self.echo = not stdin.isatty()
        self.ended = False  # the input is: every further question is skipped

    def say(self, prose: str = "", first: str = "", rest: str = "") -> None:
        """Prose, wrapped."""
        lines = wrapped(prose, WIDTH, first, rest) if prose or first else [""]
        self.stdout.write("\n".join(lines) + "\n")

    def run(self) -> int:
        """The whole lesson; the exit code."""
        session = self.session
        self.say(f"{session.lesson.title}. {minutes(session.lesson)} {HELP}")
        while session.phase is not Phase.OVER:
            self.beat()
            self.stdout.flush()
            session.go_on()
        self.summary()
        return 0

    def beat(self) -> None:
        """One beat, its question and its answer."""
        session = self.session
        texts = session.texts()
        self.say()
        if session.review:
            self.say(f"Once more. {stopped(texts.title)}")
        else:
            self.say(f"Beat {session.index + 1} of {len(session.beats)}. {stopped(texts.title)}")
        if texts.say:
            self.say(texts.say)
        self.published()
        self.totals()
        if session.phase is Phase.ASKING:
            self.say(texts.ask, {"task": "Try: ", "find": "Find: "}.get(session.action or "", "Predict: "), "  ")
            for choice in (*texts.choices, *texts.rules):
                self.say(choice.text, f"  {choice.letter}  ", "     ")
            if session.action != "choose":
                self.say(f"Answer: {stopped(texts.wanted)}" if texts.choices else texts.wanted, "  ", "  ")
            self.ask()
            texts = session.texts()
        if texts.why:
            self.say(texts.why, "Why: ", "  ")
        if texts.back:
            self.say(texts.back)
        if texts.leaves_out:
            self.say(texts.leaves_out, "Not modelled: ", "  ")

    def published(self) -> None:
        """Published values beside ours, where the beat shows them."""
        look, runs = self.session.look, self.session.runs
        if look is None or look.view != "published":
            return
        got = compared(look.of, [runs.metrics(run) for run in look.runs])
        if got is None:
            return
        self.say()
        self.say(f"{got.title[:1].upper()}{got.title[1:]}:")
        for row in got.rows:
            self.say(f"{row.what}: the paper {row.paper}, ixviz {row.ours} ({row.grade})", "  ", "    ")
        self.say(got.note, "  ", "  ")

    def totals(self) -> None:
        """What each run has spent per packet, where the beat shows it."""
        session = self.session
        if not shown(session):
            return
        heads, rows = table(session, totals(session))
        self.say()
        self.say(f"{heads[0][:1].upper()}{heads[0][1:]}:")
        for name, *values in rows:
            each = ", ".join(f"{run} {value}" for run, value in zip(heads[1:], values, strict=True))
            self.say(f"{name}: {each}", "  ", "    ")

    def ask(self) -> None:
        """Asks until there is an answer, a skip, or no more input."""
        session = self.session
        while session.phase is Phase.ASKING:
            word = self.read()
            if word is None or word == "" or word.lower() == "s":
                outcome = session.skip()
            elif word.lower() == "h":
                hint = session.hint()
                self.say(hint or "There is no further hint.", "  Hint: " if hint else "  ", "  ")
                continue
            else:
                outcome = session.answer(word)
            self.told(outcome)

    def read(self) -> str | None:
        """One line without its end; None when there is no more."""
        if self.ended:
            return None
        self.stdout.write("> ")
        self.stdout.flush()
        try:
            line = self.stdin.readline()
        except UnicodeDecodeError:
            line = "?\n"  # not text: an unusable answer like any other
        if line == "":
            self.ended = True
            self.stdout.write("\n")
            return None
        word = line.strip()
        if self.echo:
            self.stdout.write(cut(word) + "\n")
        return word

    def told(self, outcome: Outcome) -> None:
        """You said, it was, because."""
        task, find = (isinstance(self.session.beat.action, kind) for kind in (Task, Find))
        said, was = spoken(outcome.said_letter, outcome.said), spoken(outcome.was_letter, outcome.was)
        if outcome.kind == "unusable":
            self.say(outcome.message, "  ", "  ")
        elif outcome.kind == "skipped":
            self.say(f"Skipped. {'One that works:' if task else 'It was'} {stopped(was)}")
        elif task:
            self.say(f"{said}: {'that is it' if outcome.kind == 'right' else 'not yet'}.")
            self.say(outcome.message, "  ", "  ")
        elif find and outcome.kind == "wrong":
            self.say(f"You said {stopped(said)} Not that one. {outcome.message}", "", "  ")
        elif outcome.kind == "right":
            exact = "" if said == was else f" It was {stopped(was)}"
            self.say(f"You said {stopped(said)} Right.{exact}")
        else:
            self.say(f"You said {stopped(said)} It was {stopped(was)}")
            if outcome.message:
                self.say(outcome.message, "  ", "  ")

    def summary(self) -> None:
        """What came out of it."""
        session = self.session
        kinds = list(session.results.values())
        skipped = kinds.count("skipped")
        self.say()
        answered = len(kinds) - skipped
        more = f", {skipped} skipped" if skipped else ""
        self.say(f"End of the lesson: {kinds.count('right')} of {answered} right{more}.")
        if session.wrong:
            self.say("; ".join(beat.title for beat in session.wrong) + ".", "To look at again: ", "  ")
        self.stdout.flush()


def spoken(letter: str, words: str) -> str:
    """`b: When 64 packets wait.`"""
    return f"{letter}: {words}" if letter else words


def stopped(words: str) -> str:
    """The words with a full stop, unless they end in a mark of their own."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


def minutes(lesson: Lesson) -> str:
    """`10 minutes in a lecture, 26 alone.`"""
    alone, lecture = lesson.minutes.get("alone", 0), lesson.minutes.get("lecture")
    if lecture is None:
        return f"{alone:g} {'minute' if alone == 1 else 'minutes'}."
    return f"{lecture:g} {'minute' if lecture == 1 else 'minutes'} in a lecture, {alone:g} alone."


def run_plain(session: Session, stdin: TextIO, stdout: TextIO) -> int:
    """The lesson as text: one line an answer; an empty line skips, the end of input skips all that is left.

    Returns 0. Raises LessonError for an author's mistake.
    """
    return Plain(session, stdin, stdout).run()


__all__ = ["Plain", "run_plain", "scenario_plain"]
