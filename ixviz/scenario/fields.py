"""What the models of a scenario are made of: a section, and the types of values that are more than a plain integer.

Invariant: what leaves here is an integer in the unit of units.py (a float only where a rate is not whole), in range.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from ixviz.scenario import units
from ixviz.scenario.messages import did_you_mean, shown
from ixviz.scenario.units import UNLIMITED, Kind, UnitError, format_quantity

SPAN: Final = 106 * 86_400 * units.S  # 106 days: the longest time that fits 64 bits as picoseconds, in whole days
MOST_PACKETS: Final = 20_000_000
INFINITE: Final = "infinite"
DECISIONS: Final = -1  # of run.watch: the control plane alone is recorded

# Before its first model pydantic asks all that is installed for plugins, 15 ms of the first frame; we have none.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

_PARSE: Final[dict[Kind, Callable[[object], int | float | None]]] = {
    "time": units.parse_time,
    "rate": units.parse_bits_per_s,
    "per_s": units.parse_per_s,
    "size": units.parse_size,
    "hz": units.parse_hz,
}
_NUMBER: Final = r"(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,2})?"


Rules = Iterator[tuple[str, str]]  # key (empty for the mapping itself) and message


class Section(BaseModel):
    """A mapping with known keys only. Built when first used: a scenario has one kind of workload of five."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def kind_of(model: type[BaseModel]) -> str:
    """The word by which a scenario chooses this kind of a section."""
    return str(get_args(model.model_fields["kind"].annotation)[0])


class _Field:
    """A type that reads a value with `read`, which raises ValueError with the whole message."""

    def read(self, value: object) -> Any:
        raise NotImplementedError

    def json(self) -> dict[str, Any]:
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return self.json()


@dataclass(frozen=True, slots=True)
class Quantity(_Field):
    """A quantity with a unit, from `low` to `high`; with `unlimited` also that word, which becomes None."""

    kind: Kind
    low: float
    high: float
    unlimited: bool = False

    def read(self, value: object) -> int | float | None:
        if value == UNLIMITED and not self.unlimited:
            raise UnitError(f"unlimited is not allowed here, {self.allowed()}")
        try:
            parsed = _PARSE[self.kind](value)
        except UnitError as error:
            more = " wanted or unlimited" if self.unlimited else " wanted"
            raise UnitError(str(error).replace(" wanted", more, 1)) from None
        if parsed is not None and not self.low <= parsed <= self.high:
            raise UnitError(f"{shown(value).removeprefix('text ')} is out of range, {self.allowed()}")
        return parsed

    def allowed(self) -> str:
        ends = (format_quantity(end, self.kind) for end in (self.low, self.high))
        return f"{' to '.join(ends)} is allowed"

    def json(self) -> dict[str, Any]:
        names = sorted(name for name, (kind, _, _) in units.UNITS.items() if kind == self.kind)
        pattern = f"^{_NUMBER} ?({'|'.join(names)})$"
        choices: list[dict[str, Any]] = [{"type": "string", "pattern": pattern}]
        if self.low <= 0:
            choices.append({"const": 0})
        if self.unlimited:
            choices.append({"const": UNLIMITED})
        about = f"{self.allowed()}; units: {', '.join(names)}"
        # `kind` is for jsonschema.py, which writes the default in it and takes it away.
        return {"description": about, "kind": self.kind, **(choices[0] if len(choices) == 1 else {"anyOf": choices})}


@dataclass(frozen=True, slots=True)
class OrInfinite(_Field):
    """A quantity, or the word infinite, which becomes None."""

    quantity: Quantity

    def read(self, value: object) -> int | float | None:
        if value == INFINITE:
            return None
        try:
            return self.quantity.read(value)
        except UnitError as error:
            raise UnitError(str(error).replace(" wanted", f" or {INFINITE} wanted", 1)) from None

    def json(self) -> dict[str, Any]:
        inner = self.quantity.json()
        about = {key: inner.pop(key) for key in ("description", "kind")}
        return {**about, "anyOf": [inner, {"const": INFINITE}]}


@dataclass(frozen=True, slots=True)
class Count(_Field):
    """An integer from `low` to `high`, or one of some words, each of which stands for a value."""

    low: int
    high: int
    words: tuple[tuple[str, int | None], ...]

    def read(self, value: object) -> int | None:
        names = [name for name, _ in self.words]
        for name, meaning in self.words:
            if value == name:
                return meaning
        allowed = f"{self.low:,} to {self.high:,} is allowed"
        if isinstance(value, bool) or not isinstance(value, int):
            hint = did_you_mean(value, names) if isinstance(value, str) and value.isalpha() else ""
            raise ValueError(f"integer or {' or '.join(names)} wanted, got {shown(value)}{hint} ({allowed})")
        if not self.low <= value <= self.high:
            raise ValueError(f"{shown(value)} is out of range, {allowed}")
        return value

    def json(self) -> dict[str, Any]:
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"anyOf": [number, *({"const": name} for name, _ in self.words)]}


@dataclass(frozen=True, slots=True)
class Number(_Field):
    """A finite number from `low` to `high`; with `percent` also `80 %`."""

    high: float
    percent: bool = False
    low: float = 1e-6

    def read(self, value: object) -> float:
        wanted = f"number wanted{' (such as 0.8 or 80 %)' if self.percent else ''}"
        number = value
        if self.percent and isinstance(value, str):
            try:
                number, kind = units.parse_quantity(value)
            except UnitError:
                kind = "number"
            if kind != "percent":
                number = value
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise ValueError(f"{wanted}, got {shown(value)}")
        if number in (float("inf"), float("-inf")) or number != number:
            raise ValueError(f"{wanted}, {shown(value)} is not finite")
        if not self.low <= number <= self.high:
            raise ValueError(f"{shown(value)} is out of range, {self.low:g} to {self.high:,} is allowed")
        return float(number)

    def json(self) -> dict[str, Any]:
        number = {"type": "number", "minimum": self.low, "maximum": self.high}
        return {"anyOf": [number, {"type": "string", "pattern": f"^{_NUMBER} ?%$"}]} if self.percent else number


Time = Annotated[int, Quantity("time", 0, SPAN)]
Interval = Annotated[int, Quantity("time", 1, SPAN)]
Payload = Annotated[int, Quantity("size", 0, 9000)]
LineSize = Annotated[int, Quantity("size", 4, 4096)]
CacheSize = Annotated[int | None, OrInfinite(Quantity("size", 4, 2**30))]
Clock = Annotated[int, Quantity("hz", 10**6, 10**11)]
LinkRate = Annotated[int | None, Quantity("rate", 10**3, 10**14, unlimited=True)]
Load = Annotated[float, Number(10, percent=True)]
Speed = Annotated[float, Number(1_000_000)]
Messages = Annotated[int | None, Count(1, 1_000_000, ((UNLIMITED, None),))]
Watch = Annotated[int | None, Count(1, 2**31 - 1, (("all", None), ("none", 0), ("decisions", DECISIONS)))]
