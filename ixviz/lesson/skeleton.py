"""What `ixviz new` writes: a small lesson, or a scenario, that is true as it stands and says what to change.

Invariant: the lesson passes the checker, the scenario loads, for every name that is an id.
"""

from __future__ import annotations

import re
from typing import Final

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PLAIN = re.compile(r"[A-Za-z][a-z]+([ -][a-z0-9]+)*")
_OTHERS = frozenset(("true", "false", "null", "yes", "no", "on", "off"))  # no texts, to this or another YAML

_MACHINE: Final = """\
machine:
  profile: e5-2665           # the processor: its clock, among other things
  cores: 1
  nic:
    ports: 1
    rate: 10 Gbps
    queues: 1
    ring: 512                # packets that find room in the NIC
system:
  kind: ix
  batch_bound: 64            # B, the most packets in a batch
  costs_are: illustrative    # round numbers, not measured ones: the screen says so
  costs:                     # cycles at 2.4 GHz: `batch` once a turn, `packet` for each packet of it
    poll:
      batch: 480             # 0.2 us
    tcp:
      packet: 240            # 0.1 us
    cross:
      batch: 720             # to the application and back
    app:
      packet: 192
    calls:
      packet: 168
    timers:
      batch: 240
    tx:
      batch: 960             # the doorbell
workload:
  kind: timed                # packets at given times; `ixviz schema scenario` has the other kinds
  size: 64 B
  packets:
    - at: 2 us               # the first one
    - from: 2.1 us           # and then three every microsecond
      every: 333.333 ns
      count: 300
run:
  until: 100 us
  seed: 1
"""

_LESSON: Final = """\
# yaml-language-server: $schema=./lesson.schema.json
#
# A lesson of your own. It is true as it stands:
#
#   ixviz check FOLDER     says so, and says what is wrong after a change
#   ixviz FOLDER           opens it; save the file, and the lesson on the screen follows
#   ixviz names FOLDER     lists the names that can stand in an expression
#
# Change a number under `scenario` first, and see what the checker says.
# How all of this is written: lessons/README.md of ixviz.

language: 1
id: {id}
title: {title}
summary: How large the batches get, and how large they must be allowed to get.
minutes:                           # the sums of the minutes of the beats below
  lecture: 2
  alone: 5
goals:
  - Say what decides how large the next batch is.

# ------------------------------------------------------------------ the machines, each with a name
runs:
  bench:
    scenario:
{machine}
  narrow:                          # the same machine with other values
    from: bench
    set:
      system.batch_bound: 1

# ------------------------------------------------------------------ the steps, in their order
beats:
  - id: next                       # progress is kept under this, so do not change it later
    title: The next batch
    route: lecture                 # shown to a class, too; without this line only to people alone
    minutes: 2
    run: bench
    until: core0.batch == 2        # the machine stops just after the event that makes this true
    look:
      mark:                        # what is shown of the machine; without it, all
        - nic.q0
        - core0
    say: |
      $(batch(2).size) packets came while batch 1 was at work, and are now batch 2. A batch
      costs 1 µs, and each packet in it 0.25 µs more. 3 packets come every microsecond.
    predict:
      ask: How many packets will batch 3 have?
      answer: batch(3).size        # read from the machine at `reveal`, never typed
      choose:
        - is: 1
          because: A poll takes all that waits, up to B.
        - is: batch(2).size
          because: Nothing remembers how large the last batch was.
        - is: answer               # the right one needs no reason
        - is: system.batch_bound
          because: The core does not wait until a batch is full.
      hints:                       # one at a time, when the learner asks
        - How long does batch 2 take?
        - How many packets come in that time?
    reveal: core0.batch == 3       # a later event; the learner sees nothing of it before the answer
    why: |
      Batch 2 took $(batch(2).ends - batch(2).begins in us). In that time $(batch(3).size) packets came, and they are
      batch 3.
    expect:                        # claims, checked: a number that a text types is checked only if it is claimed here
      - system.cost.batch == 1 us and system.cost.packet == 0.25 us
      - count(packets where arrives > 3 us and arrives <= 4 us) == 3
      - batch(3).size == count(packets where arrives > batch(2).begins and arrives <= batch(2).ends)
    notes: Let somebody compute it aloud.

  - id: bound
    title: Your turn
    minutes: 3
    run: narrow
    until: end                     # the run is over: its figures can be read
    look:
      view: chart
      of: latency
      line: 10 us
    say: |
      With B = $(system.batch_bound) the p99 latency is $(latency.p99 in us): the core cannot keep up.
    task:
      ask: Find the smallest B that keeps the p99 latency below 10 µs.
      knobs:                       # what may be turned, and to which values
        system.batch_bound:
          - 1
          - 4
          - 8
          - 16
          - 64
      holds: latency.p99 < 10 us
      smallest: system.batch_bound # among the values that hold; the checker runs them all
      solutions:
        - system.batch_bound: 16
      wrong:
        - set:
            system.batch_bound: 8
          because: 8 packets take 3 µs, and 9 come in that time. The queue grows.
      hints:
        - How long does a full batch take, and how many packets come meanwhile?
    why: |
      A batch of 16 takes 5 µs, and 15 packets come in that time: the core keeps up.
    expect:
      - system.cost.batch + 16 * system.cost.packet == 5 us
      - system.cost.batch + 8 * system.cost.packet == 3 us
      - count(packets where arrives > 20 us and arrives <= 25 us) == 15
      - count(packets where arrives > 20 us and arrives <= 23 us) == 9
"""


def is_id(name: str) -> bool:
    """Whether a lesson can be called this: small letters, digits and single hyphens, at most 60."""
    return len(name) <= 60 and _ID.fullmatch(name) is not None


def lesson(name: str) -> str:
    """The text of a lesson with this id. ValueError for a name that is none."""
    machine = "".join(f"      {line}" for line in _MACHINE.splitlines(keepends=True))
    return _LESSON.format(id=_scalar(name), title=_scalar(_title(name)), machine=machine)


def scenario(name: str) -> str:
    """The text of a scenario with this name as its title. ValueError for a name that is none."""
    head = f"""\
# yaml-language-server: $schema=./scenario.schema.json
#
#   ixviz {name}.yaml         opens it
#   ixviz run {name}.yaml     prints its figures
title: {_scalar(_title(name))}
summary: one core, round costs, three packets every microsecond
"""
    return head + _MACHINE


def _title(name: str) -> str:
    if not is_id(name):
        raise ValueError(name)
    words = name.replace("-", " ")
    return words[:1].upper() + words[1:]


def _scalar(text: str) -> str:
    """A text as YAML: in quotes where it would be taken for something else."""
    plain = _PLAIN.fullmatch(text) and text.casefold() not in _OTHERS
    return text if plain else f'"{text}"'
