"""A packet on its way in: IP and TCP in softirq, the listen socket for a set-up, else its socket, whose owner is woken.
Invariant: a packet enters its socket's queue in the order in which its flow's packets arrived."""

from __future__ import annotations

from ixviz.system.linux import paths
from ixviz.system.linux.costs import IDLE, LISTEN, SCHEDULER, STACK_IN, STEER, SWITCH, TCP_IN
from ixviz.system.linux.cpu import QUEUE, SETUP, STAGE0, SYNACK, THROUGH, Cpu
from ixviz.system.linux.out import Out
from ixviz.system.linux.sockets import ESTABLISHED, SYN_RECEIVED, Listener, Sock
from ixviz.workload import kinds


class Tcp(Out):
    """What softirq does with a packet."""

    def _packet(self, now: int) -> None:
        """Take the next packet through IP and TCP, or hand it to the core of its application."""
        number = self.backlog[0]
        packets, costs, at = self.feed.packets, self.costs, self.at
        kind, flow = packets.kind[number], packets.flow[number]
        sock = self.sockets.get(flow)
        there = sock.owner if sock is not None else -1
        if there < 0 and self.steering and kind in (kinds.DATA, kinds.FIN, kinds.RST) and sock is None:
            there = self.owner_of(flow)
        steer = self.steering and there >= 0 and there != self.number
        self._event(now, (STEER if steer else TCP_IN) + STAGE0)
        self.packet = self.backlog.popleft()
        self.todo -= 1
        self.note("steered" if steer else "tcp_in", number)
        if steer:
            self.sock = there
            self._run(STEER, costs.steer + at.backlogs[there].access(self.number, True, paths.RFS, now), now)
            return
        me, cycles = self.number, at.stats.access(self.number, True, paths.SOFTIRQ, now)
        if kind == kinds.DATA:
            cycles += STACK_IN + costs.rest_in + SCHEDULER
            cycles += at.memory.access(me, True, paths.SOFTIRQ, now)
        else:
            cycles += costs.control_in
        if sock is not None:
            cycles += sock.access(me, True, paths.SOFTIRQ, now)
        self.sock = sock.number if sock is not None else -1
        self._run(TCP_IN, cycles, now)

    def end_steer(self, now: int) -> None:
        """The packet is in the other core's backlog, and an IPI tells it."""
        self._event(now, THROUGH)
        other = self.cpus[self.sock]
        other.backlog.append(self.packet)
        other.todo += 1
        other.owed += self.at.backlogs[other.number].access(other.number, True, paths.RFS)
        other._rouse(now)
        self._next(now)

    def end_tcp_in(self, now: int) -> None:
        """A segment is in: set-up and its end go through the listen socket, data into the socket's queue."""
        number, packets = self.packet, self.feed.packets
        kind, flow = packets.kind[number], packets.flow[number]
        sock = self.sockets.get(flow)
        if kind == kinds.OTHER or (kind in (kinds.ACK, kinds.RST) and sock is None) or (
            kind == kinds.ACK and sock is not None and sock.tcp != SYN_RECEIVED
        ):  # fmt: skip
            self._event(now, THROUGH)
            packets.done[number] = now
            self.leave(number, now)
            self._next(now)
        elif kind == kinds.SYN or (sock is not None and sock.tcp == SYN_RECEIVED):
            listener = self.listener_of(flow)
            hold = self.costs.hold_syn if kind == kinds.SYN else self.costs.hold_ack
            self._hold(listener.lock, LISTEN, paths.LISTEN, hold, now)
        else:
            self._event(now, QUEUE)
            self._queue(number, sock or self.sockets.make(flow, ESTABLISHED, self.owner_of(flow)), now)
            self._next(now)

    def end_listen(self, now: int) -> None:
        """What needed the listen socket's lock is done: a SYN is answered, or the connection waits for accept()."""
        number, packets = self.packet, self.feed.packets
        kind, flow = packets.kind[number], packets.flow[number]
        sock = self.sockets.get(flow)
        listener = self.listener_of(flow)
        if kind == kinds.SYN:
            self._event(now, SYNACK)
            self._let_go(listener.lock, paths.LISTEN, now)
            if sock is None:
                sock = self.sockets.make(flow, SYN_RECEIVED)
            self.owed += sock.access(self.number, True, paths.LISTEN, now)
            self.owed += self.at.dst.access(self.number, True, paths.ROUTING, now)
            self.transmit(number, kind, now)
            self.leave(number, now)
            self._next(now)
            return
        self._event(now, SETUP if kind == kinds.ACK else QUEUE)
        self._let_go(listener.lock, paths.LISTEN, now)
        if sock is None:  # two packets of one flow raced for the lock, and it is closed again
            sock = self.sockets.make(flow, ESTABLISHED, self.owner_of(flow))
        elif sock.tcp == SYN_RECEIVED:
            self._establish(listener, sock, now)
        if kind == kinds.ACK:
            packets.done[number] = now
            self.leave(number, now)
        else:
            self._queue(number, sock, now)
        self._next(now)

    def _establish(self, listener: Listener, sock: Sock, now: int) -> None:
        """The handshake is over: the connection waits for accept(), and a thread that sleeps is woken for it."""
        queue = listener.queue
        sock.tcp = ESTABLISHED
        self.owed += queue.access(self.number, True, paths.LISTEN, now)
        self.owed += self.at.memory.access(self.number, True, paths.LISTEN, now)
        queue.socks.append(sock.number)
        queue.waiting += 1
        if queue.waiting > queue.deepest:
            queue.deepest = queue.waiting
        n = len(self.cpus)
        for k in range(n):
            cpu = self.cpus[(queue.turn + k) % n]
            if cpu.task == IDLE and self.sockets.listeners[cpu.listener] is listener:
                queue.turn = (cpu.number + 1) % n
                self._wake(cpu, now)
                return

    def _queue(self, number: int, sock: Sock, now: int) -> None:
        """A packet is in its socket's queue: if the socket is not in its owner's ready list, it is put there."""
        sock.ids.append(number)
        sock.queued += 1
        self.sock = sock.number
        self.note("queued", number)
        if sock.owner >= 0 and not sock.ready:
            self.make_ready(sock, now)

    def make_ready(self, sock: Sock, now: int) -> None:
        """Put a socket into its owner's ready list and wake the owner if it sleeps."""
        owner = self.cpus[sock.owner]
        sock.ready = 1
        self.owed += self.at.ready[owner.number].access(self.number, True, paths.WAKE, now)
        owner.list.append(sock.number)
        owner.ready += 1
        if owner.task == IDLE:
            self._wake(owner, now)

    def _wake(self, cpu: Cpu, now: int) -> None:
        """Wake a thread that sleeps in epoll_wait; its core may be another one, then by an IPI."""
        self.owed += self.at.runqueues[cpu.number].access(self.number, True, paths.WAKE, now)
        cpu.task = SWITCH
        cpu.wakes += 1
        cpu.waker = self.last_event
        if cpu is not self and cpu.stage == IDLE:
            cpu.alarm.arm(now)

    def listener_of(self, flow: int) -> Listener:
        """The listen socket of a flow: the only one, or with SO_REUSEPORT that of its hash."""
        listeners = self.sockets.listeners
        return listeners[self.owner_of(flow) if len(listeners) > 1 else 0]
