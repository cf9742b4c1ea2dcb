"""What happens on a Linux machine in words: events, and what a core does now.
Invariant: a sentence about an event uses what was known at that event, never more."""

from __future__ import annotations

from typing import Any

from ixviz.draw.numbers import count
from ixviz.system.linux.costs import APP, IDLE, SOFTIRQ, SPIN, STAGES
from ixviz.system.picture import packet_picture, words
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.shown import Knob
from ixviz.system.picture.words import core_name, plural

KNOBS = (
    Knob("system.budget", "1", "the most packets that a NAPI poll takes"),
    Knob("system.interrupt_rate", "0", "interrupts a second of a queue at most, 0: no limit"),
    Knob("system.steering", "true", "whether a packet goes to the core of its thread (RFS)"),
    *packet_picture.KNOBS,
)
GLOSSARY = (
    packet_picture.GLOSSARY[0],
    ("interrupt", "the NIC tells a core that frames wait, as often as moderation allows"),
    ("NAPI poll", "the kernel takes what waits in a ring, at most its budget"),
    ("softirq", "IP and TCP in the kernel, before a thread runs"),
    ("socket", "where a packet waits until its thread reads it"),
    ("call", "a system call, to the kernel and back (rings 3 and 0)"),
    ("line", "64 bytes that go from cache to cache as one"),
    ("transfer", "a line that the cache of another core supplies"),
    *packet_picture.GLOSSARY[1:],
)
CALLS = {"accept": "accept()", "read": "recv()", "copy_in": "recv()", "write": "send()", "copy_out": "send()",
         "tcp_out": "send()", "close": "close()", "epoll": "epoll_wait()"}  # fmt: skip


def short(name: str) -> str:
    """`nic.q0` → `q0`, `irq0` → `q0`, `sock7` → `socket 7`: components as a sentence names them."""
    if name.startswith("irq"):
        return f"q{name[3:]}"
    if name.startswith("sock"):
        return f"socket {name[4:]}"
    return words.short(name)


def mode(stage: int) -> str:
    """On whose account a core works: idle, softirq, kernel, user or spins."""
    if stage == IDLE:
        return "idle"
    if stage == SPIN:
        return "spins"
    return "user" if stage == APP else "softirq" if stage in SOFTIRQ else "kernel"


def application(sim: Any) -> str:
    """What a thread of the application is called."""
    return "echo thread" if sim.facts["costs"] == "echo" else "memcached worker"


def lock_of(sim: Any, view: Any, core: int) -> str:
    """The lock that a core has or waits for, "" for none."""
    for listener in sim.sockets.listeners:
        lock = view[listener.lock.name]
        if lock.holder == core + 1 or getattr(lock, f"ticket{core}"):
            return str(lock.name)
    return ""


def doing(moment: Moment, thread: Any) -> str:
    """What a core does now: `softirq: NAPI, 3 of 64`, `spins on listen.lock (2 waiters)`."""
    sim, view = moment.sim, moment.view
    core = view[thread.name]
    stage = STAGES[core.stage]
    packet, worker = f"packet {count(core.packet)}", f"worker {thread.number}"
    lock = lock_of(sim, view, thread.number) if stage in ("spin", "listen", "accept") else ""
    if stage in CALLS:
        what = {"copy_in": ": copies", "copy_out": ": copies", "tcp_out": ": TCP"}.get(stage, "")
        about = f", {packet}" if stage not in ("epoll", "accept") else f", has {lock}" if lock else ""
        return f"kernel: {CALLS[stage]}{about}{what}"
    waiters = f" ({plural(view[lock].waiters, 'waiter')})" if lock else ""
    more = f", {count(core.todo)} more" if core.todo else ""
    return {
        "idle": f"idle: {worker} in epoll_wait" if not core.task else "idle",
        "spin": f"spins on {lock}{waiters}",
        "interrupt": "interrupt",
        "napi": f"softirq: NAPI, {count(core.size)} of {count(sim.bound)}",
        "steer": f"softirq: {packet} to core {core.sock}",
        "tcp_in": f"softirq: {packet}, TCP{more}",
        "listen": f"softirq: {packet}" + (f", has {lock}" if lock else ""),
        "switch": f"kernel: wakes {worker}",
        "app": f"user: {worker}, {packet}",
    }[stage]


def event_words(moment: Moment, number: int) -> str:
    """What event `number` (at most the moment's) was, as a sentence without a full stop."""
    return words.sentence(moment, number, _own)


def _own(moment: Moment, event: Any, kind: str, name: str) -> str:
    if kind == "raise":
        vector = next(v for t in moment.sim.threads for v in t.vectors if v.name == name)
        return f"{short(name)} interrupts core {vector.cpu.number}"
    return f"{core_name(name)} {_doing(moment, kind, moment.then(event.number), name)}"


def _doing(moment: Moment, kind: str, view: Any, name: str) -> str:
    core = view[name]
    packet, number = f"packet {count(core.packet)}", int(name[4:])
    worker = f"{application(moment.sim)} {number}"
    lock = lock_of(moment.sim, view, number) if kind in ("spin", "listen", "accept") else ""
    took = f"takes {plural(core.size, 'packet')}" if core.size else "takes back frames that were sent"
    where = f"socket {core.sock}" if core.sock >= 0 else "a socket"
    return {
        "idle": "has nothing to do and sleeps",
        "interrupt": "runs the interrupt handler, which asks for NAPI",
        "napi": f"polls (NAPI) and {took}",
        "steer": f"hands {packet} to core {core.sock}, where its application runs (RFS)",
        "tcp_in": f"takes {packet} through IP and TCP",
        "spin": f"spins on {lock}" + (f", {plural(view[lock].waiters, 'waiter')}" if lock else ""),
        "listen": f"works on {packet} with {lock}",
        "switch": f"switches to {worker}",
        "epoll": f"is in epoll_wait() of {worker}",
        "accept": f"is in accept() with {lock}",
        "read": f"is in recv() for {packet}: ring 3 → 0",
        "copy_in": f"copies {packet} to the application: ring 0 → 3",
        "app": f"runs {worker} on {packet}",
        "write": f"is in send() for {packet}: ring 3 → 0",
        "copy_out": f"copies the answer to {packet} into the kernel",
        "tcp_out": f"takes the answer to {packet} through TCP, IP and qdisc",
        "close": f"is in close() for {where}",
        "queue": f"has put {packet} into {where if core.sock >= 0 else 'its socket'}",
        "synack": f"has answered {packet}, a SYN",
        "established": "has set up a connection, which waits for accept()",
        "through": f"is done with {packet}",
        "complete": "has polled its ring empty: it may interrupt again",
        "sleep": f"finds nothing ready: {worker} sleeps in epoll_wait()",
        "preempt": f"is interrupted: ring 3 → 0, {worker} has to wait",
        "returns": f"returns from epoll_wait() to {worker}: ring 0 → 3",
        "accepted": "is back from accept()",
        "sent": f"rings the doorbell: the answer to {packet} leaves",
        "closed": "has closed a connection",
    }.get(kind, kind)
