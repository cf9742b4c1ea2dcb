"""What happens on an mTCP machine in words: events, and what a core and its two threads do now.
Invariant: a sentence about an event uses what was known at that event, never more."""

from __future__ import annotations

from typing import Any

from ixviz.draw.numbers import count
from ixviz.system.mtcp.core import STATES
from ixviz.system.mtcp.costs import APPLICATION, IDLE, STACK, STAGES
from ixviz.system.picture import packet_picture, words
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.shown import Knob
from ixviz.system.picture.words import core_name, plural

KNOBS = (
    Knob("system.chunk", "1", "the most packets that a poll takes from a ring"),
    Knob("system.select_us", "10", "the most µs that the TCP thread sleeps while packets wait"),
    Knob("system.interrupt_rate", "0", "interrupts a second that a queue may raise, 0 for any number"),
    *packet_picture.KNOBS,
)
GLOSSARY = (
    packet_picture.GLOSSARY[0],
    ("TCP thread", "polls the ring, does TCP for all it took, sends what there is"),
    ("round", "one turn of the TCP thread; those that found packets are counted"),
    ("events", "connections that have something for the application"),
    ("jobs", "answers, and ends of connections, for the TCP thread"),
    ("select()", "where the TCP thread sleeps, 100 µs at most while packets wait"),
    ("switch", "the scheduler gives the core to the other of its two threads"),
    *packet_picture.GLOSSARY[1:],
)
NAMES = {"rx": "poll", "tcp": "TCP", "flush": "flush", "jobs": "jobs", "tx": "tx", "select": "select", "epoll": "epoll",
         "app": "app", "wait": "sleep"}  # fmt: skip


def mode(stage: int) -> str:
    """Who has a core in a stage: idle, tcp, app, or the kernel, which wakes and switches."""
    return "idle" if stage == IDLE else "tcp" if stage in STACK else "app" if stage in APPLICATION else "switch"


def doing(moment: Moment, thread: Any) -> str:
    """What a core does now, in a few words: `tcp: TCP, round of 12`, `app: works on 5`."""
    core = moment.view[thread.name]
    stage = STAGES[core.stage]
    if stage == "idle":
        waits = sum(moment.view[r.name].depth for r in thread.rings)
        return f"both sleep, {count(waits)} in the ring" if waits else "both sleep"
    other = "app" if core.runs == 1 else "tcp"
    return {
        "interrupt": "interrupt: wakes tcp",
        "timer": "timer: wakes tcp",
        "switch": f"switch: to {other}",
        "rx": f"tcp: poll, {found(core)}",
        "tcp": f"tcp: TCP, round of {count(core.size)}",
        "flush": "tcp: flush, events to app",
        "jobs": "tcp: jobs of app",
        "tx": "tcp: sends",
        "select": "tcp: select()",
        "epoll": "app: takes its events",
        "app": f"app: works on {plural(core.taken, 'packet')}" if core.taken else "app: accepts",
        "wait": "app: goes to sleep",
    }[stage]


def found(core: Any) -> str:
    """What a poll found."""
    return f"takes {count(core.size)}" if core.size else "finds nothing"


def stack_note(core: Any, thread: Any) -> str:
    """What the TCP thread is at: `round of 12`, `sleeps`, `ready`."""
    if STATES[thread.state] != "runs":
        return STATES[thread.state]
    return f"round of {count(core.size)}" if core.size else "runs"


def application_note(core: Any, thread: Any) -> str:
    """What the application thread is at: `works on 12`, `sleeps`, `ready`."""
    if STATES[thread.state] != "runs":
        return STATES[thread.state]
    return f"works on {count(core.taken)}" if core.taken else "runs"


def event_words(moment: Moment, number: int) -> str:
    """What event `number` (at most the moment's) was, as a sentence without a full stop."""
    return words.sentence(moment, number, _own)


def _own(moment: Moment, event: Any, kind: str, name: str) -> str:
    view = moment.then(event.number)
    core = view[name]
    events, jobs = view[f"{name}.events"], view[f"{name}.jobs"]
    app = "the application"
    woken = ", which can run now" if view[f"{name}.app"].state else ""
    what = {
        "idle": "has nothing to run: both its threads sleep",
        "interrupt": "is interrupted by its queue and wakes the TCP thread",
        "timer": "wakes the TCP thread: select() has slept long enough",
        "switch": "switches from " + (f"the TCP thread to {app}" if core.runs == 1 else f"{app} to the TCP thread"),
        "rx": "polls (one call of the driver) and "
              + (f"takes {plural(core.size, 'packet')}" if core.size else "finds nothing"),
        "tcp": f"takes {plural(core.size, 'packet')} through TCP, in ring 3",
        "flush": f"hands the events of this round to {app}",
        "jobs": f"works on the jobs of {app}: answers, ends of connections",
        "tx": "builds frames and hands them to the driver (one call)",
        "select": "calls select(): have packets come?",
        "epoll": f"lets {app} take its events, without a system call",
        "app": f"lets {app} " + (f"work on {plural(core.taken, 'packet')}" if core.taken else "accept connections"),
        "wait": f"puts {app} to sleep" + (", which tells the TCP thread of its jobs" if jobs.depth else ""),
        "through": "is through TCP with all packets of this round",
        "told": f"has {plural(events.depth, 'event')} for {app}{woken}",
        "handed": f"has {plural(jobs.depth, 'job')} for the TCP thread" if jobs.depth else "is through with its events",
        "handled": "has the answers ready to be sent",
        "sent": "rings the doorbell: all frames of this round leave",
        "asleep": "finds no packet: the TCP thread sleeps in select()",
        "waits": f"has {app} asleep in mtcp_epoll_wait()",
    }  # fmt: skip
    return f"{core_name(name)} {what.get(kind, kind)}"
