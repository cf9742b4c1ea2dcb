"""Every expression and every inset of the two example lessons, typed in."""

CONDITIONS = """
core0.batch == 4
count(packets) == 1
packet(1).polled - packet(1).arrives < 0.1 us
batch(1).size == system.batch_bound
packet(1).polled - packet(1).arrives >= 0.1 us and batch(1).size < system.batch_bound
batch(1).size == 1
core0.batch == 2
batch(2).size == 4
system.cost.batch == 1 us and system.cost.packet == 0.25 us
abs(last(batches).size - batch(4).size) <= 1 and min(batches.size where number > 5) > 2
last(batches).size >= 0.9 * system.batch_bound
min(batches.size where number > 5) <= 2
batch(4).size + 1 < last(batches).size and last(batches).size < 0.5 * system.batch_bound
last(batches).size == 12
calm1.latency.p99 < 0.97 * calm64.latency.p99
abs(calm1.latency.p99 / calm64.latency.p99 - 1) <= 0.03
calm64.batch.mean < 1.05
busy1.latency.p99 < 500 us and busy64.latency.p99 < 500 us
busy1.latency.p99 >= 500 us and busy64.latency.p99 >= 500 us
busy1.requests.completed < 1.45 M/s
abs(system.cost.batch - 0.98 us) < 0.01 us and abs(system.cost.packet - 3.32 us) < 0.01 us
one.core0.batch == 11
count(packets where batch == 4) == 7
count(packets where batch == 4 and one.packet(id).leaves == leaves) == 0
waiting(nic.q0) + waiting(rxlist) > 10 * (waiting(tcp) + waiting(app)) and nic.drops == 0
waiting(tcp) > waiting(nic.q0) + waiting(rxlist)
said >= 32
batch.max <= system.batch_bound
gain < 0.15
0.15 <= gain and gain < 0.5
latency.p99 < 500 us
core0.stage == idle and waiting(rxlist) > 0
migration(1).state == armed
p.taken_from != none
count(packets where group == 19 and queue == core1.local) == 1
said(r) < said(p)
r.tcp_begins != none
migration(1).ended - migration(1).armed < 0.1 ms
abs(migration(1).ended - migration(1).armed - 1 ms) < 0.01 ms
migration(1).ended - migration(1).armed > 2.9 ms
migration(1).state == done
""".strip().splitlines()

VALUES = """
1
batch(2).size
2 * batch(2).size
system.batch_bound
count(packets where batch == 4 and one.packet(id).leaves < leaves)
answer
batch.mean
(full4.requests.completed - full1.requests.completed) / (full64.requests.completed - full1.requests.completed)
6 / (0.98 us + 3.32 us)
last(packets where group == 19 and queue == core0.rxlist)
p.taken_from
first(packets where group == 19 and queue == core1.remote)
tcp_begins
""".strip().splitlines()

PROSE = """
At most $(system.batch_bound) packets go in one batch: the **bound B**.
Packet 1 came at $(packet(1).arrives in us), and batch 1 began at $(batch(1).begins in us), $(batch(1).size)
Batch 2 took $(batch(2).ends - batch(2).begins in us): 1 us and $(batch(2).size) × 0.25 us.
$(calm64.latency.p99 in us) and $(calm1.latency.p99 in us). A bound that is never reached changes nothing.
only $(busy1.requests.completed in M/s) get through
after $(mean(packets.leaves where batch == 4) - batch(4).begins in us) as one batch
$(mean(one.packets.leaves where bench.packet(id).batch == 4) - batch(4).begins in us) on average
$(waiting(rxlist)) wait in the list between ring and TCP
$(100 * busy as 1) % of the time.
It is $(batch.mean as 0.1), and one batch in a hundred has more than $(p99(batches.size) as 1).
With B = $(mine.system.batch_bound) p99 is $(mine.latency.p99 in us), with one less ten times that.
still lies in core 0's list: $(p.id)
$(migration(1).ended - migration(1).armed in ms). The first packet at the new core or the timer.
""".strip().splitlines()
