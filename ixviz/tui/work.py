"""What the states of all screens have in common: work in small slices, a speed, the names of keys.

Invariant: a slice takes about its budget and no longer; between two slices the screen is drawn and keys are heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

SPEEDS = (0, 100_000, 10**6, 10**7, 10**8, 10**9, 10**10, -1)  # ps a second of ours; 0 a step, -1 as fast as it goes
SPEED_WORDS = (
    "slow motion, a step each second",
    "0.1 µs each second",
    "1 µs each second",
    "10 µs each second",
    "0.1 ms each second",
    "1 ms each second",
    "10 ms each second",
    "as fast as it goes",
)
BUDGET = 0.008  # seconds of recording between two frames
_KEYS = (("←", "left"), ("→", "right"), ("↑", "up"), ("↓", "down"), ("↵", "enter"))
_SCROLLS = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}


@dataclass
class Prompt:
    """A line the reader types: `ask` says what is wanted, `done` takes it and returns a message of what is wrong.

    `kept`: `text` is what was typed the last time; ↵ takes it again, the first sign typed replaces it.
    """

    ask: str
    done: Callable[[str], str | None]
    text: str = ""
    error: str = ""
    kept: bool = False


class Working:
    """`job` is the work that goes on, `job_text` says what it is; `message` is said once, until the next key."""

    ascii: bool
    speed: int
    message: str
    help: bool
    scroll: dict[str, int]
    job: Iterator[str] | None
    job_text: str

    def start(self, job: Iterator[str]) -> None:
        """Begin a piece of work; its first slice is done at once, so that what is near needs no second frame."""
        self.job = job
        self.work()

    def work(self) -> None:
        """One slice of the present job."""
        if self.job is None:
            return
        try:
            self.job_text = next(self.job)
        except StopIteration:
            self.job, self.job_text = None, ""

    def keys(self, text: str) -> str:
        """Names of keys in a text; in ASCII the arrows are words, since < and > are keys themselves."""
        if self.ascii:
            for sign, word in _KEYS:
                text = text.replace(sign, word)
        return text

    def go_faster(self, by: int) -> None:
        """Another speed, `by` steps of SPEEDS; said in the message."""
        self.speed = min(max(self.speed + by, 0), len(SPEED_WORDS) - 1)
        self.message = f"speed: {SPEED_WORDS[self.speed]}"

    def scroll_help(self, by: int) -> None:
        """The open help, so many lines down (up, below 0)."""
        self.scroll["help"] = max(self.scroll.get("help", 0) + by, 0)

    def scrolls_help(self, key: str) -> bool:
        """Whether a key scrolls the open help, which it then has."""
        if not self.help or key not in _SCROLLS:
            return False
        self.scroll_help(_SCROLLS[key])
        return True
