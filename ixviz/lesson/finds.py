"""Finds: a fault is in the machine; which component breaks which rule.

Invariant: what is right is the fault's own declaration of the machine as built; any component that has it counts.
"""

from __future__ import annotations

import re
from typing import Any

from ixviz.lesson.beatenv import BeatEnv
from ixviz.lesson.judge import Outcome
from ixviz.lesson.model import LETTERS, Beat, Find, LessonError
from ixviz.lesson.runs import Runs
from ixviz.scenario.simulate import faults


def fault_of(runs: Runs, beat: Beat) -> Any:
    """The fault that was put into the beat's run. Raises LessonError when there is none."""
    scenario = runs.scenario(beat.run)
    if scenario.fault is None:
        raise LessonError(beat.place.problem(f"find: run {beat.run} has no fault"))
    return faults(scenario.system.kind)[scenario.fault]


def holders(runs: Runs, beat: Beat, find: Find) -> list[str]:
    """Those of `among` that have the fault."""
    sim = runs.recorded(beat.run)
    having = set(fault_of(runs, beat).holders(sim))
    return [name for name in find.among if name in having or any(one.startswith(f"{name}.") for one in having)]


def wanted(find: Find) -> str:
    """`a part and a rule: a letter, a to e, and a number, 1 to 3`."""
    return f"a letter, a to {LETTERS[len(find.among) - 1]}, and a number, 1 to {len(find.rules)}"


def read(find: Find, text: str) -> tuple[str, int] | None:
    """`c2`, `2 c`, `core0 2`, `core0 fills-batches` as component and index of a rule; None when it is none of these."""
    words = text.strip().lower()
    pair = re.fullmatch(r"([a-f])\s*([1-6])", words) or re.fullmatch(r"([1-6])[\s,]*([a-f])", words)
    parts = sorted(pair.groups(), reverse=True) if pair else text.replace(",", " ").split()
    if len(parts) != 2:
        return None
    part, rule = parts
    letters, numbers = LETTERS[: len(find.among)], [str(i + 1) for i in range(len(find.rules))]
    ids = [each.fault for each in find.rules]
    component = find.among[letters.index(part)] if part in letters else part if part in find.among else None
    index = numbers.index(rule) if rule in numbers else ids.index(rule) if rule in ids else None
    return None if component is None or index is None else (component, index)


def judge(runs: Runs, beat: Beat, find: Find, text: str, env: BeatEnv) -> Outcome:
    """A component and a rule (or nothing: skipped) against the fault that was put in."""
    got = read(find, text) if text.strip() else None
    if text.strip() and got is None:
        return Outcome("unusable", f"Answer with {wanted(find)}.")
    fault, having = fault_of(runs, beat), holders(runs, beat, find)
    index = next((i for i, rule in enumerate(find.rules) if rule.fault == fault.id), None)
    if index is None or not having:
        raise LessonError(find.place.problem("neither among nor rules has the answer"))
    was = {"was_letter": f"{LETTERS[find.among.index(having[0])]}{index + 1}",
           "was": f"{', '.join(having)}: {env.shown(find.rules[index].say)}"}  # fmt: skip
    if got is None:
        return Outcome("skipped", **was)
    component, rule = got
    told = {"said_letter": f"{LETTERS[find.among.index(component)]}{rule + 1}",
            "said": f"{component}: {env.shown(find.rules[rule].say)}"}  # fmt: skip
    if rule == index and component in having:
        return Outcome("right", **told, **was)
    because = env.shown(find.rules[rule].because) if rule != index else "The rule is broken, but not by this part."
    return Outcome("wrong", because, **told)
