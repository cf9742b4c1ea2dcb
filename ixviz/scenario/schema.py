"""What a scenario may say: one pydantic model a section; workloads.py has the kinds of workload, systems their options.

Invariant: every value is an integer in the unit of units.py, checked against its range; None means what its line says.

Rules between values of one mapping are in `rules(given)`, which check.py calls with the values as written, so that
they are told together with all other mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

from pydantic import AliasChoices, BaseModel, Field

from ixviz.scenario.fields import (
    DECISIONS,
    INFINITE,
    CacheSize,
    Clock,
    Interval,
    LineSize,
    LinkRate,
    Rules,
    Section,
    Time,
    Watch,
    kind_of,
)
from ixviz.scenario.units import UnitError, format_quantity, format_time, parse_size, parse_time

HashType = Literal["ipv4-tcp", "ipv4-udp", "ipv4", "ipv6-tcp", "ipv6-udp", "ipv6"]
HASH_TYPES: Final[tuple[HashType, ...]] = get_args(HashType)

Group = Annotated[int, Field(strict=True, ge=0, le=127)]


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

    @property
    def decisions_only(self) -> bool:
        """Whether of the run the control plane alone is recorded."""
        return self.watch == DECISIONS

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


class _Systems(Mapping[str, type[BaseModel]]):
    """Each folder of system/ with an options.py, whose `Options` has the folder's name as its `kind: Literal[...]`:
    nothing to register. A system is imported when it is asked for."""

    def __init__(self) -> None:
        folder = Path(__file__).parent.parent / "system"
        self._names = sorted(path.parent.name for path in folder.glob("*/options.py"))

    def __getitem__(self, kind: str) -> type[BaseModel]:
        if kind not in self._names:
            raise KeyError(kind)
        model: type[BaseModel] = import_module(f"ixviz.system.{kind}.options").Options
        assert kind_of(model) == kind, f"a system is called as its folder: {kind}"
        return model

    def __contains__(self, kind: object) -> bool:
        return kind in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


SYSTEMS: Final[Mapping[str, type[BaseModel]]] = _Systems()
# What a system has no use for: the path of a section or value, and why. Its Options may have a LEFT_OUT of its own.
LEFT_OUT: Final[Mapping[str, str]] = {"machine.cache": "only a trace has caches of a size"}
NULLABLE: Final = frozenset({"run.until"})  # where null says something; elsewhere it is a missing value
# Setting one of two removes the other, which it replaces: section, the two keys, the kind that knows both.
ALTERNATIVES: Final = (("workload", ("rate", "load"), "poisson"), ("run", ("watch", "record"), None))
