"""Why a packet left when it did: its way through interrupt, softirq, socket, system calls and application, in words.
Invariant: the parts are integers of ps and their sum is the latency exactly."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ixviz.draw.numbers import count
from ixviz.system.linux.costs import SWITCH
from ixviz.system.linux.picture.words import application
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.shown import Part, Why
from ixviz.system.picture.why import told
from ixviz.system.picture.words import core_name, plural
from ixviz.workload import kinds


def why(moment: Moment, packet: int) -> Why:
    """Why `packet` (it has arrived) left when it did, or where it has been so far."""
    return told(moment, packet, _parts, _notes)


def _parts(moment: Moment, packet: int, until: int) -> list[Part]:
    sim, table = moment.sim, moment.sim.feed.packets
    row = moment.batch_of(packet)
    if row is None:
        return [Part(until - table.arrives[packet], f"waits in q{table.queue[packet]} for the interrupt and NAPI")]
    poll = sim.batches.event[row]
    out = _until_poll(moment, packet, row)
    last, at = poll, sim.batches.begins[row]

    def step(name: str, text: str) -> bool:
        nonlocal last, at
        event = moment.step(packet, name)
        if event is None:
            out.append(Part(until - at, f"{text}, so far", last))
            return False
        time = sim.history.event(event).time
        out.append(Part(time - at, text, event))
        last, at = event, time
        return True

    size = sim.batches.size[row]
    with_others = f"NAPI took {plural(size, 'packet')}" + ("; those before it went first" if size > 1 else "")
    if moment.step(packet, "steered") is not None:
        step("steered", with_others)
        with_others = "handed to the core of its application (RFS), which took it"
    if not step("tcp_in", with_others):
        return out
    kind = table.kind[packet]
    if kind not in (kinds.DATA, kinds.FIN, kinds.RST) or moment.step(packet, "queued") is None:
        end = moment.step(packet, "sent") or moment.step(packet, "queued")
        return [*out, *_listen(moment, last, at, until if end is None else sim.history.event(end).time, end)]
    step("queued", "IP and TCP, into the socket's queue (softirq)")
    owner = moment.then(last)
    waited = _waited(moment, owner, packet)
    if not step("read", waited):
        return out
    if kind != kinds.DATA:
        step("sent", "close()")
        return out
    if step("app", "recv(): system call, copy to the application (ring 3 → 0 → 3)") and step(
        "write", f"the application ({application(sim)}, ring 3), interrupts included"
    ):
        step("sent", "send(): system call, copy, TCP, qdisc, doorbell (ring 3 → 0 → 3)")
    return out


def _until_poll(moment: Moment, packet: int, row: int) -> list[Part]:
    """From the arrival to the poll: until the queue may interrupt, until the core takes it, the handler."""
    sim, table = moment.sim, moment.sim.feed.packets
    arrived, begins, poll = table.arrives[packet], sim.batches.begins[row], sim.batches.event[row]
    chain = moment.chain(poll, 0)[-3:]
    kind_of = sim.history.kinds
    raised = next((e for e in chain if kind_of[e.kind] == "raise"), None)
    taken = next((e for e in chain if kind_of[e.kind] == "interrupt"), None)
    queue = f"q{table.queue[packet]}"
    if raised is None or taken is None or arrived > raised.time:
        text = f"waited in {queue}: its core was there already, busy with packets before it"
        return [Part(begins - arrived, text, poll)]
    core = core_name(sim.history.places[taken.subject].name)
    most = sim.threads[0].vectors[0].interval if sim.threads[0].vectors else 0
    rate = count(10**12 // most) if most else ""
    return [
        Part(raised.time - arrived, f"waited in {queue}: it may interrupt {rate} times a second (moderation)",
             raised.number),
        Part(taken.time - raised.time, f"{core} was in the kernel, where it finished a step first", taken.number),
        Part(begins - taken.time, "interrupt handler", poll),
    ]  # fmt: skip


def _waited(moment: Moment, view: Any, packet: int) -> str:
    """Why it waited in its socket: the thread had to be woken, or was busy, or had not accepted it yet."""
    flow = moment.sim.feed.packets.flow[packet]
    names = (s.name for s in moment.sim.sockets.entries if s.name in view)
    sock = next((view[n] for n in names if view[n].flow == flow and view[n].tcp), None)
    if sock is None:
        return "waited in its socket"
    if sock.owner < 0:
        return "waited in its socket, which waited for accept()"
    core = view[f"core{sock.owner}"]
    where = f"core {sock.owner}"
    if core.task == SWITCH:
        return f"waited in its socket: the thread of {where} slept and was woken, then epoll_wait"
    return f"waited in its socket: the thread of {where} had others before it, then epoll_wait"


def _listen(moment: Moment, first: int, since: int, until: int, last: int | None) -> list[Part]:
    """A packet that sets up a connection: TCP, the wait for the listen socket's lock, the work with it."""
    if last is None:
        return [Part(until - since, "IP and TCP, so far", first)]
    history = moment.sim.history
    words = {"tcp_in": "IP and TCP (softirq)", "spin": "spun for the listen socket's lock",
             "listen": "its work with the lock held"}  # fmt: skip
    out: list[Part] = []
    chain = [e for e in moment.chain(last, first) if e.number >= first]
    for event, after in pairwise(chain):
        kind = history.kinds[event.kind]
        out.append(Part(after.time - event.time, words.get(kind, kind), after.number))
    rest = until - since - sum(p.ps or 0 for p in out)
    return [*out, Part(rest, "then", last)]


def _notes(moment: Moment, packet: int) -> list[str]:
    names = ("crossings", "copies")
    sums = {n: sum(getattr(moment.view[t.name], n) for t in moment.sim.threads) for n in names}
    done = max(sum(moment.view[t.name].done for t in moment.sim.threads), 1)
    crossings, copies = sums["crossings"] / done, sums["copies"] / done
    return [
        f"A packet costs {crossings:.1f} crossings and {copies:.1f} copies on average here.",
        "Stack, scheduler, copies and calls are measured (Arrakis), the rest of the sum is fitted.",
    ]
