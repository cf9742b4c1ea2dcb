"""A small lesson with one of each kind of beat, on machines that run in milliseconds.

Invariant: as written here it loads and passes the checker; tests break it in one place at a time.
"""

SMALL = """\
language: 1
id: small
title: A small lesson
minutes:
  lecture: 1
  alone: 5
runs:
  bench:
    scenario:
      machine: {cores: 1, nic: {ports: 1, rate: 10 Gbps, queues: 1, ring: 512}}
      system:
        kind: ix
        batch_bound: 64
        costs: {poll: {batch: 480}, tcp: {packet: 240}, cross: {batch: 720}, app: {packet: 192},
                calls: {packet: 168}, timers: {batch: 240}, tx: {batch: 960}}
      workload:
        kind: timed
        size: 64 B
        packets:
          - {at: 2 us}
          - {from: 2.1 us, every: 333.333 ns, count: 300}
      run: {until: 100 us, seed: 1}
  one: {from: bench, at: core0.batch == 4, set: {system.batch_bound: 1}}
  short: {from: bench, set: {run.until: 60 us}}
beats:
  - id: intro
    title: Hello
    route: lecture
    minutes: 1
    run: bench
    until: start
    say: At most $(system.batch_bound) packets go together.
  - id: size
    title: What came meanwhile
    minutes: 1
    run: bench
    until: core0.batch == 2
    say: Batch 2 has $(batch(2).size) packets.
    predict:
      ask: How many will batch 3 have?
      answer: batch(3).size
      choose:
        - is: 1
          because: Everything that waits goes along.
        - is: answer
        - is: system.batch_bound
          because: It never waits.
      hints:
        - How long does batch 2 take?
    reveal: core0.batch == 3
    why: It took $(batch(2).ends - batch(2).begins in us).
    expect:
      - batch(3).size == 6
  - id: settle
    title: No controller
    minutes: 1
    run: bench
    until: core0.batch == 4
    say: $(count(packets)) packets came so far, the last batch is $(last(batches).number).
    predict:
      ask: Where does the size go?
      choose:
        - say: It stays at $(batch(4).size).
          when: last(batches).size == batch(4).size
          because: It grows.
        - say: Up to $(system.batch_bound).
          when: last(batches).size == system.batch_bound
          because: It dies out.
        - say: In between.
          when: last(batches).size > batch(4).size and last(batches).size < system.batch_bound
    reveal: core0.batch == 25
    why: It is $(last(batches).size).
  - id: mean
    title: The average
    minutes: 1
    run: bench
    until: start
    given: [requests.completed]
    say: $(requests.completed in M/s) are completed.
    predict:
      ask: How large is the average batch?
      number: {answer: batch.mean, unit: packets, from: 1, to: 64, within: 20 %}
      because:
        - when: said > 12
          say: Smaller.
        - when: said <= 12
          say: Not that.
    reveal: end
    why: It is $(batch.mean as 0.1).
  - id: knob
    title: Your turn
    minutes: 1
    run: short
    until: end
    task:
      ask: Find the largest B that keeps every batch below 8.
      knobs:
        system.batch_bound: [2, 4, 8, 64]
      holds: batch.max < 8
      largest: system.batch_bound
      solutions:
        - system.batch_bound: 4
      wrong:
        - set: {system.batch_bound: 2}
          because: Four works too.
    why: With B = $(mine.system.batch_bound) it is $(mine.batch.max).
"""


def changed(old: str, new: str, text: str = SMALL) -> str:
    """SMALL with one part replaced; the part must be there exactly once."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def place_of(part: str, text: str) -> str:
    """`line:col` of the only place of a part."""
    assert text.count(part) == 1, part
    before = text[: text.index(part)]
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
