"""What a scenario may say of its workload: a pydantic model for each kind of it.

Invariant: as in schema.py: integers in the unit of units.py, and rules between values told with all other mistakes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from ixviz.scenario.fields import (
    MOST_PACKETS,
    SPAN,
    Interval,
    Load,
    Messages,
    Payload,
    Rules,
    Section,
    Speed,
    Time,
    kind_of,
)
from ixviz.scenario.patterns import EventRate, OfferedRate
from ixviz.scenario.units import MS, US, UnitError, format_time, parse_time

MOST_OUTSTANDING: Final = 1_000_000

Connections = Annotated[int, Field(strict=True, ge=1, le=250_000)]
Outstanding = Annotated[int, Field(strict=True, ge=1, le=1024)]
Spread = Literal["hashed", "even"]


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


WORKLOADS: Final[dict[str, type[BaseModel]]] = {kind_of(m): m for m in (Poisson, Timed, Closed, Memcached, Capture)}
