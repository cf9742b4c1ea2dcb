"""Two small lessons, together with one of each kind of beat, on machines that run in milliseconds.

Invariant: as written here they load and pass the checker; tests break them in one place at a time.
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

OTHER = """\
language: 1
id: other
title: Another small lesson
minutes:
  alone: 4
runs:
  bench:
    scenario:
      machine: {cores: 1, nic: {ports: 1, rate: 10 Gbps, queues: 1, ring: 512}}
      system:
        kind: ix
        batch_bound: 4
        costs: {poll: {batch: 480}, tcp: {packet: 240}, cross: {batch: 720}, app: {packet: 192},
                calls: {packet: 168}, timers: {batch: 240}, tx: {batch: 960}}
      workload:
        kind: timed
        size: 64 B
        packets:
          - {from: 2 us, every: 200 ns, count: 40}
      run: {until: 100 us, seed: 1}
    vary:
      system.batch_bound: [3, 4, 5]
  ill:
    from: bench
    fault: small-ring
beats:
  - id: leaving
    title: Who leaves first
    minutes: 1
    run: bench
    until: core0.batch == 2
    pick:
      p: first(packets where batch == 2)
      q: last(packets)
    say: $(q.id) packets have come.
    predict:
      ask: In which order do these leave?
      order:
        by: leaves
        items:
          - q
          - p
          - packet(1)
      because:
        - when: said(q) < said(p)
          say: It came later.
        - when: said(p) < said(q)
          say: The first is already at work.
      hints:
        - A batch leaves together.
      again:
        set: {system.batch_bound: 3}
    reveal: q.leaves != none
    why: $(q) leaves with batch $(q.batch), $(p) with batch 2.
  - id: coming
    title: Who comes first
    minutes: 1
    run: bench
    until: core0.batch == 1
    predict:
      ask: What comes first?
      order:
        items:
          - name: leave
            say: The first leaves.
            value: packet(1).leaves
          - name: arrive
            say: The third comes.
            value: packet(3).arrives
      because:
        - when: said(leave) == 1
          say: A turn takes longer than 400 ns.
    reveal: core0.batch == 3
  - id: waiting
    title: Where it waits
    minutes: 1
    run: bench
    until: core0.batch == 2
    pick: {r: last(packets)}
    say: $(r) has just come.
    predict:
      ask: Where is it in the middle of the next batch?
      point:
        among: [nic.q0, core0.rxlist, core0]
        answer: r.place
        because:
          - at: nic.q0
            say: Every poll empties the ring.
          - at: core0.rxlist
            say: Only what is above the bound waits there.
    reveal: core0.batch == 3 and core0.stage == app
    why: It is in $(r.place).
  - id: ill
    title: A fault
    minutes: 1
    run: ill
    until: end
    say: $(nic.drops) packets were lost.
    find:
      ask: Which part breaks which rule?
      among: [core0, nic.q0, core0.tx]
      rules:
        - fault: fills-batches
          say: It waits although packets are there.
          because: It is busy all the time.
        - fault: small-ring
          say: It loses packets.
      hints:
        - Count the drops.
    why: The ring holds four packets.
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
