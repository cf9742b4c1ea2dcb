"""What decides when a step is taken: the thresholds of IXCP, and what a policy of one's own must provide.
Invariant: a policy sees plain values and returns a wish; whether it is carried out is not its business."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from ixviz.machine.profile import Profile
from ixviz.system.ix.control.steps import TABLES, Step

UP_QUEUE, DOWN_QUEUE = 32.0, 8.0  # packets [code, facts 1.7]
UP_AFTER_UP, UP_AFTER_DOWN, DOWN_AFTER = 0.2, 2.0, 4.0  # s [code, facts 1.7]


class Signals(NamedTuple):
    """What a policy is told at a tick, every 0.1 s. Times in s; in a compressed run as if it were not compressed.

    `fast` is the highest queue of any thread that runs (its EMA with α = .5, packets), `busiest` that thread; `slow`
    the mean queue of all (α = .125), `idle` their mean idleness (0 … 1, α = .5). `since_up`, `since_down` are infinite
    before the first. `step` is the number of the present one of `steps`. `middle` is the mean queue with α = .25, the
    third average of the released code (facts 1.7), which IXCP's own thresholds do not look at.
    """

    now: float
    fast: float
    busiest: int
    slow: float
    idle: float
    step: int
    steps: Sequence[Step]
    since_up: float
    since_down: float
    middle: float = 0.0


class Wish(NamedTuple):
    """The step a policy wants, by its number, and why: the signal, and what allowed it."""

    step: int
    because: str
    allowed: str = ""


class Policy(Protocol):
    """A policy: made with the profile and the number of cores, asked at every tick at which no step is under way.

    A class of one's own is found by the entry point group `ixviz.policies`; its name is then a `system.control.policy`.
    """

    steps: Sequence[Step]

    def decide(self, signals: Signals) -> Wish | None:
        """The wish at a tick; None to leave all as it is."""


def ask(policy: Policy, signals: Signals) -> tuple[Wish | None, str]:
    """A policy's wish, and what is wrong with its answer in words; then there is no wish. It never raises."""
    steps = len(policy.steps)
    try:
        wish = policy.decide(signals)
        if wish is None:
            return None, ""
        wrong = "" if isinstance(wish, Wish) else f"it returned {wish!r:.80}, a Wish or None is expected"
        if not wrong and not (isinstance(wish.step, int) and 0 <= wish.step < steps):
            wrong = f"it asked for step {wish.step!r:.40}, there are 0 to {steps - 1}"
    except Exception as error:  # somebody else's code may raise anything
        wish, wrong = None, f"it raised {type(error).__name__}: {error}"[:200]
    return (None if wrong else wish), wrong


class Thresholds:
    """IXCP's own: a step up when a queue is long, a step down when all are short and the threads idle [code]."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps

    def decide(self, signals: Signals) -> Wish | None:
        """See Policy."""
        up, down = signals.since_up, signals.since_down
        step, steps = signals.step, signals.steps
        either, idle = min(up, down), steps[step].idle
        if signals.fast > UP_QUEUE and step + 1 < len(steps) and held(up, UP_AFTER_UP) and held(down, UP_AFTER_DOWN):
            long = f"fast queue {beyond(signals.fast, UP_QUEUE)} > {UP_QUEUE:.0f}, on core {signals.busiest}"
            allowed = f"last up {ago(up)} (≥ {UP_AFTER_UP:g} s), last down {ago(down)} (≥ {UP_AFTER_DOWN:g} s)"
            return Wish(step + 1, long, allowed)
        if step and signals.slow < DOWN_QUEUE and signals.idle > idle and held(either, DOWN_AFTER):
            short = f"slow queue {beyond(signals.slow, DOWN_QUEUE)} < {DOWN_QUEUE:.0f}"
            quiet = f"{short}, idle {signals.idle:.0%} > {idle:.0%}"
            return Wish(step - 1, quiet, f"last step {ago(either)} (≥ {DOWN_AFTER:g} s)")
        return None


def beyond(value: float, threshold: float) -> str:
    """`41`; with a digit more, or two, where it would read as the threshold itself."""
    return next((text for text in (f"{value:.0f}", f"{value:.1f}") if float(text) != threshold), f"{value:.2f}")


def held(since: float, hold: float) -> bool:
    """Whether a hold time has passed; a tick that is less than a microsecond early counts."""
    return since >= hold - 1e-6


def ago(since: float) -> str:
    """`0.4 s ago`, `never`."""
    return "never" if since == float("inf") else f"{since:.1f} s ago"


def names() -> list[str]:
    """The names of all policies there are, ours first."""
    return [*TABLES, *(name for name in installed() if name not in TABLES)]


def make(name: str, profile: Profile, cores: int) -> Policy:
    """The policy of that name: one of TABLES with IXCP's thresholds, or an installed one. KeyError for an unknown.

    ValueError, in words, when an installed one cannot be made or its steps are not of this machine.
    """
    if name in TABLES:
        return Thresholds(TABLES[name](profile, cores))
    made = installed()[name]
    try:
        policy: Policy = made(profile, cores)
        wrong = unfit(policy.steps, cores)
    except Exception as error:  # somebody else's code may raise anything
        raise ValueError(f"it cannot be made: {type(error).__name__}: {error}"[:300]) from None
    if wrong:
        raise ValueError(wrong)
    return policy


def unfit(steps: Sequence[Step], cores: int) -> str:
    """What is wrong with the steps of a policy on a machine of so many cores; empty if nothing is."""
    if not len(steps):
        return "it has no steps"
    for number, step in enumerate(steps):
        if not step.cpus or 0 not in step.cpus:
            return f"its step {number} leaves out thread 0, where frames without a hash go"
        if not all(isinstance(cpu, int) and 0 <= cpu < 2 * cores for cpu in step.cpus):
            return f"its step {number} has threads that are not there: 0 to {2 * cores - 1} are"
        if len(set(step.cpus)) < len(step.cpus):
            return f"its step {number} has a thread twice"
        if not isinstance(step.clock, int) or not 10**8 <= step.clock <= 10**10:
            return f"its step {number} has no clock between 0.1 and 10 GHz"
    return ""


def installed() -> dict[str, Callable[[Profile, int], Any]]:
    """The policies that other packages bring, by name; one that cannot be loaded says why when it is used."""
    from importlib.metadata import entry_points

    return {e.name: _Later(e) for e in sorted(entry_points(group="ixviz.policies"), key=lambda e: e.name)}


class _Later:
    """A policy's class that is imported when it is wanted, as listing names shall run nobody's code."""

    def __init__(self, entry: Any) -> None:
        self._entry = entry

    def __call__(self, profile: Profile, cores: int) -> Any:
        return self._entry.load()(profile, cores)
