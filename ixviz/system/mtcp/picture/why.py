"""Why a packet left when it did: two hand-overs, to the application and back, each with its batch; in words.
Invariant: the parts are integers of ps and their sum is the latency exactly."""

from __future__ import annotations

from ixviz.draw.numbers import duration
from ixviz.system.mtcp.core import KINDS, NOBODY
from ixviz.system.picture.moments import JourneyMoment as Moment
from ixviz.system.picture.shown import Part, Why
from ixviz.system.picture.why import told
from ixviz.system.picture.words import plural
from ixviz.workload import kinds

_ACCEPTED = KINDS.index("app")  # the event in which data that came before accept() are told of: in the other thread


def why(moment: Moment, packet: int) -> Why:
    """Why `packet` (it has arrived) left when it did, or where it has been so far."""
    return told(moment, packet, _parts, _notes)


def _parts(moment: Moment, packet: int, until: int) -> list[Part]:
    sim, table = moment.sim, moment.sim.feed.packets
    row = moment.batch_of(packet)
    if row is None:
        return [Part(until - table.arrives[packet], f"waits in q{table.queue[packet]}: {_why_waits(moment, packet)}")]
    poll, begins, size = sim.batches.event[row], sim.batches.begins[row], sim.batches.size[row]
    out = _until_poll(moment, packet, poll, begins)
    last, at = poll, begins
    app = "the application"
    with_others = f"with the {plural(size - 1, 'other')} of its round" if size > 1 else "alone in its round"
    words = {
        "tcp": f"copied into the process by the driver, {with_others}",
        "told": f"TCP, {with_others}, and their events handed to {app}",
        "app": f"its event waited: the TCP thread went on until it found no packet, then {app} was given the core",
        "handed": f"{app} worked on all it was handed{_batch(moment, packet, 'app')}",
        "jobs": f"its job waited: {app} went to sleep and the TCP thread was given the core",
    }
    if table.kind[packet] not in (kinds.DATA, kinds.FIN, kinds.RST):
        words = {"tcp": words["tcp"]}
    elif (told := moment.step(packet, "told")) is not None and sim.history.event(told).kind == _ACCEPTED:
        words["told"] = f"TCP, {with_others}; its connection was new and waited until {app} accepted it"
        words["app"] = f"{app} accepted the other connections too, then took its new events"
    for step, text in words.items():
        event = moment.step(packet, step)
        if event is None:
            return [*out, Part(until - at, f"{_unfinished(step, app)}, so far", last)]
        time = sim.history.event(event).time
        out.append(Part(time - at, text, event))
        last, at = event, time
    end = moment.step(packet, "sent")
    answered = kinds.ANSWERED[table.kind[packet]]
    text = "TCP for its round" if len(words) == 1 else "jobs of its batch"
    text += ", frames, one call of the driver: all leave at the doorbell" if answered else ": nothing is to be sent"
    return [*out, Part(until - at, text if end is not None else f"{text}, so far", last if end is None else end)]


def _unfinished(step: str, app: str) -> str:
    """What goes on until a step is taken."""
    return {"tcp": "copied into the process", "told": "TCP for its round", "app": f"its event waits for {app}",
            "handed": f"{app} works on its batch", "jobs": "its job waits for the TCP thread"}[step]  # fmt: skip


def _batch(moment: Moment, packet: int, step: str) -> str:
    """`: 24 packets`, those that took a step in the same event."""
    event = moment.step(packet, step)
    if event is None:
        return ""
    core = moment.then(event)[moment.sim.history.places[moment.sim.history.event(event).subject].name]
    return f": {plural(core.taken, 'packet')}"


def _until_poll(moment: Moment, packet: int, poll: int, begins: int) -> list[Part]:
    """From the arrival to the poll: asleep, then woken; or the core was there already."""
    sim, table = moment.sim, moment.sim.feed.packets
    arrived, queue = table.arrives[packet], f"q{table.queue[packet]}"
    before = sim.history.event(poll).cause
    woken = sim.history.event(before) if before >= 0 else None
    kind = sim.history.kinds[woken.kind] if woken is not None else ""
    if woken is not None and kind in ("interrupt", "timer") and arrived <= woken.time:
        core = sim.threads[int(sim.history.places[woken.subject].name[4:])]
        asleep = f"waited in {queue}: both threads slept, select() for {duration(core.timeout, 0)} at most"
        if kind == "interrupt":
            asleep = f"waited in {queue}: both threads slept, and its queue could not interrupt before"
        text = "the interrupt, and the scheduler on an idle core" if kind == "interrupt" else (
            "select()'s timer, and the scheduler on an idle core")  # fmt: skip
        return [Part(woken.time - arrived, asleep, woken.number), Part(begins - woken.time, text, poll)]
    text = f"waited in {queue}: the core was with packets before it, in the TCP thread or the application"
    return [Part(begins - arrived, text, poll)]


def _why_waits(moment: Moment, packet: int) -> str:
    """Why a packet waits in its ring now."""
    sim = moment.sim
    thread = next(t for t in sim.threads if sim.feed.packets.queue[packet] in t.queues)
    core = moment.view[thread.name]
    if core.runs == NOBODY:
        return "both threads sleep, till an interrupt or the timeout of select() finds it"
    if core.runs == 1:
        return "the TCP thread is with packets before it"
    return "the application has the core"


def _notes(moment: Moment, packet: int) -> list[str]:
    cores = [moment.view[t.name] for t in moment.sim.threads]
    done = max(sum(c.done for c in cores), 1)
    crossings, switches = (sum(getattr(c, n) for c in cores) / done for n in ("crossings", "switches"))
    return [
        f"A packet costs {crossings:.2f} crossings and {switches:.2f} switches on average here: a batch shares them.",
        "Two sums of costs are fitted, their division is illustrative.",
    ]
