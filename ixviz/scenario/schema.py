"""What a scenario may say: one pydantic model a section, a model for each kind of workload, the systems' own options.

Invariant: every value is an integer in the unit of units.py, checked against its range; None means what its line says.

Rules between values of one mapping are in `rules(given)`, which check.py calls with the values as written, so that
they are told together with all other mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from ixviz.scenario.fields import (
    INFINITE,
    MOST_PACKETS,
    SPAN,
    CacheSize,
    Clock,
    Interval,
    LineSize,
    LinkRate,
    Load,
    Messages,
    Payload,
    Speed,
    Time,
    Watch,
)
from ixviz.scenario.patterns import EventRate, OfferedRate
from ixviz.scenario.units import MS, US, UnitError, format_quantity, format_time, parse_size, parse_time

HashType = Literal["ipv4-tcp", "ipv4-udp", "ipv4", "ipv6-tcp", "ipv6-udp", "ipv6"]
HASH_TYPES: Final[tuple[HashType, ...]] = get_args(HashType)

Connections = Annotated[int, Field(strict=True, ge=1, le=250_000)]
Outstanding = Annotated[int, Field(strict=True, ge=1, le=1024)]
Spread = Literal["hashed", "even"]
Group = Annotated[int, Field(strict=True, ge=0, le=127)]
Rules = Iterator[tuple[str, str]]  # key (empty for the mapping itself) and message


class Section(BaseModel):
    """A mapping with known keys only. Built when first used: a scenario has one kind of workload of five."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Head(Section):
    """What a scenario says of itself."""

    title: str | None = None
    summary: str | None = None


class Nic(Section):
    """The network card. `rate` in bit/s, None for unlimited; `queues` None for as many as hardware threads."""

    ports: int = Field(default=1, strict=True, ge=1, le=16)
    rate: LinkRate = 10_000_000_000
    queues: int | None = Field(default=None, strict=True, ge=1, le=256)
    ring: int = Field(default=512, strict=True, ge=1, le=32_768)
    tx_ring: int = Field(default=4096, strict=True, ge=1, le=65_536)
    hash_types: tuple[HashType, ...] = HASH_TYPES


class Cache(Section):
    """The private cache of each core: `size` bytes (None for infinite) in sets of `ways` lines of `line` bytes."""

    size: CacheSize = None
    ways: int = Field(default=8, strict=True, ge=1, le=64)
    line: LineSize = 64

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        ways = given.get("ways", 8)
        try:
            line = parse_size(given.get("line", "64 B"))
            size = None if given.get("size", INFINITE) == INFINITE else parse_size(given["size"])
        except UnitError:
            return  # told where it stands
        if not 4 <= line <= 4096 or not isinstance(ways, int) or not 1 <= ways <= 64:
            return  # told where it stands
        if line & (line - 1):
            yield "line", f"a power of two is wanted, got {format_quantity(line, 'size')}"
        elif size is not None and (size == 0 or size % (ways * line)):
            sets = f"{ways} way{'' if ways == 1 else 's'} of {format_quantity(line, 'size')}"
            yield "size", f"a multiple of {format_quantity(ways * line, 'size')} is wanted, the size of a set ({sets})"


class Machine(Section):
    """The hardware. `clock` in Hz, None for the profile's own."""

    profile: Literal["e5-2665"] = "e5-2665"
    cores: int = Field(default=1, strict=True, ge=1, le=256)
    hyperthreads: bool = Field(default=False, strict=True)
    clock: Clock | None = None
    cache: Cache = Field(default_factory=lambda: Cache())
    nic: Nic = Field(default_factory=lambda: Nic())


class Poisson(Section):
    """Open loop, exponential gaps. Either `rate` (per second) or `load` (share of the system's capacity) is given.

    A `rate` may be a pattern (here, closed and memcached): then the gaps stretch and shrink with it.
    """

    kind: Literal["poisson"]
    rate: EventRate | None = None
    load: Load | None = None
    flows: int = Field(default=1024, strict=True, ge=1, le=1_000_000)
    size: Payload = 64
    packets: int | None = Field(default=None, strict=True, ge=1, le=MOST_PACKETS)  # None: no end

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        if "rate" in given and "load" in given:
            yield "load", "exactly one of rate and load is wanted, both are given"
        elif "rate" not in given and "load" not in given:
            yield "", "exactly one of rate and load is wanted, neither is given"


class TimedPackets(Section):
    """Packets at written times: one `at` a time (`flow` None for any), or `count` from `from_` on, `every` apart."""

    at: Time | None = None
    flow: int | None = Field(default=None, strict=True, ge=0, lt=1_000_000)
    from_: Time | None = Field(default=None, alias="from")
    every: Interval | None = None
    count: int | None = Field(default=None, strict=True, ge=1, le=MOST_PACKETS)

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        row = [key for key in ("from", "every", "count") if key in given]
        if "at" in given and row:
            yield row[0], f"either at, or from with every and count is wanted, got at and {row[0]}"
        elif "at" not in given and len(row) < 3:
            got = f", got only {', '.join(row)}" if row else ""
            yield "", f"either at, or from with every and count is wanted{got}"
        elif row:
            if "flow" in given:
                yield "flow", "flow is of a packet with at, not of a row of packets"
            yield from cls._span(given)

    @staticmethod
    def _span(given: Mapping[str, object]) -> Rules:
        count = given["count"]
        try:
            start, every = parse_time(given["from"]), parse_time(given["every"])
        except UnitError:
            return  # told where it stands
        if not isinstance(count, int) or not 1 <= count <= MOST_PACKETS or max(start, every) > SPAN:
            return  # told where it stands
        if start + every * (count - 1) > SPAN:
            yield "count", f"the last packet comes after the longest time, {format_time(SPAN)}"


class Timed(Section):
    """Arrivals written down, not drawn."""

    kind: Literal["timed"]
    size: Payload = 64
    flows: int = Field(default=1, strict=True, ge=1, le=1_000_000)
    packets: tuple[TimedPackets, ...] = Field(min_length=1)

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        flows, packets = given.get("flows", 1), given.get("packets")
        for index, row in enumerate(packets if isinstance(packets, list) else ()):
            flow = row.get("flow") if isinstance(row, dict) else None
            if isinstance(flow, int) and isinstance(flows, int) and flows <= flow < 1_000_000:
                yield f"packets[{index}].flow", f"there is no flow {flow:,}: flows is {flows:,}, counted from 0"


MOST_OUTSTANDING: Final = 1_000_000


class Closed(Section):
    """Clients that wait for answers. `rate` (all together) and `messages` (a connection's): None for unlimited.

    `quickack`: the last reply of a connection is acknowledged by a frame of its own before the connection closes."""

    kind: Literal["closed"]
    connections: Connections
    outstanding: Outstanding = 1
    rate: OfferedRate = None
    round_trip: Time = 10 * US
    messages: Messages = None
    close: Literal["fin", "rst"] = "fin"
    quickack: bool = Field(default=True, strict=True)
    size: Payload = 64
    rto: Interval = 200 * MS
    spread: Spread = "hashed"

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        many, each = given.get("connections"), given.get("outstanding")
        if isinstance(many, int) and isinstance(each, int) and many * each > MOST_OUTSTANDING:
            yield "outstanding", (f"{many:,} connections with {each:,} each are more than the {MOST_OUTSTANDING:,} "
                                  "requests that may be outstanding")  # fmt: skip


class Memcached(Section):
    """The mixes of the papers at a `rate` of requests per second. `client_share` None for the mix's own time."""

    kind: Literal["memcached"]
    mix: Literal["usr", "etc"] = "usr"
    rate: EventRate
    connections: Connections = 1476
    outstanding: Outstanding = 4
    spread: Spread = "hashed"
    rto: Interval = 200 * MS
    client_share: Time | None = None


class Capture(Section):
    """A pcap or pcapng file as written (Scenario.resolve finds it), played `speed` times as fast, `repeat` times."""

    kind: Literal["capture"]
    file: str = Field(strict=True, min_length=1)
    speed: Speed = 1.0
    repeat: int = Field(default=1, strict=True, ge=1, le=1_000_000)


class NoWorkload(Section):
    """What stands in place of a workload where the system has no use for one."""

    kind: Literal["none"] = "none"


class Migrate(Section):
    """Flow groups that go to the hardware thread `to` at a time: a command to the control plane."""

    at: Time
    groups: tuple[Group, ...] = Field(min_length=1, max_length=128)
    to: int = Field(strict=True, ge=0, le=511)


class Run(Section):
    """The span in picoseconds. `until` None: to the end of the workload; `watch` events, None for all, 0 for none.

    `compress` divides the times of a pattern and those of the control plane (its period, holds and averages), so that
    minutes take seconds; costs, wire, SLO and all other times stay. `warmup` and `until` are times of the run and are
    not divided; without `until` a run ends with its pattern, divided.
    """

    warmup: Time = 0
    until: Interval | None = None
    seed: int = Field(default=1, strict=True, ge=0, le=2**63 - 1)
    compress: int = Field(default=1, strict=True, ge=1, le=1000)
    migrate: tuple[Migrate, ...] = Field(default=(), max_length=1_000)
    watch: Watch = Field(default=50_000, validation_alias=AliasChoices("watch", "record"))

    @classmethod
    def rules(cls, given: Mapping[str, object]) -> Rules:
        if "watch" in given and "record" in given:
            yield "record", "record is another word for watch, both are given"
        try:
            warmup, until = parse_time(given.get("warmup", 0)), parse_time(given["until"])
        except (UnitError, KeyError):
            return
        if 0 < until <= warmup:
            yield "warmup", f"the warm-up ({format_time(warmup)}) must end before until ({format_time(until)})"


def _kind(model: type[BaseModel]) -> str:
    return str(get_args(model.model_fields["kind"].annotation)[0])


def _systems() -> dict[str, type[BaseModel]]:
    """Each folder of system/ with an options.py, whose `Options` has a `kind: Literal[...]`: nothing to register."""
    folder = Path(__file__).parent.parent / "system"
    names = sorted(path.parent.name for path in folder.glob("*/options.py"))
    models: list[Any] = [import_module(f"ixviz.system.{name}.options").Options for name in names]
    return {_kind(model): model for model in models}


WORKLOADS: Final[dict[str, type[BaseModel]]] = {_kind(m): m for m in (Poisson, Timed, Closed, Memcached, Capture)}
SYSTEMS: Final[dict[str, type[BaseModel]]] = _systems()
# What a system has no use for: the path of a section or value, and why. Its Options may have a LEFT_OUT of its own.
LEFT_OUT: Final[Mapping[str, str]] = {"machine.cache": "only a trace has caches of a size"}
NULLABLE: Final = frozenset({"run.until"})  # where null says something; elsewhere it is a missing value
# Setting one of two removes the other, which it replaces: section, the two keys, the kind that knows both.
ALTERNATIVES: Final = (("workload", ("rate", "load"), "poisson"), ("run", ("watch", "record"), None))
