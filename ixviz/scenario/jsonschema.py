"""The JSON Schema of a scenario, for editors, from the same models that check it.

Invariant: what the schema refuses the models refuse; the models refuse more (rules between values).
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ixviz.scenario.patterns import PATTERNS
from ixviz.scenario.schema import SYSTEMS, Head, Machine, Run
from ixviz.scenario.units import format_quantity
from ixviz.scenario.workloads import WORKLOADS


def json_schema() -> dict[str, Any]:
    """A new JSON Schema (2020-12): the sections by name, a kind of system or workload by its `kind`."""
    used: list[type[BaseModel]] = [Head, Machine, *SYSTEMS.values(), *WORKLOADS.values(), *PATTERNS.values(), Run]
    refs, whole = models_json_schema([(model, "validation") for model in used], ref_template="#/$defs/{model}")
    definitions = whole["$defs"]
    ref = {model: refs[(model, "validation")] for model in used}
    run = definitions[ref[Run]["$ref"].rpartition("/")[2]]
    run["properties"]["record"] = run["properties"]["watch"]  # the other word for it; a schema shows only the first
    head = definitions.pop(ref[Head]["$ref"].rpartition("/")[2])
    for each in definitions.values():
        for value in each.get("properties", {}).values():
            _without_null(value)
            _default_with_unit(value)
            if value.pop("patterns", False):
                _or_one_of(value, [ref[model] for model in PATTERNS.values()])
    run["properties"]["until"] = {"anyOf": [run["properties"]["until"], {"type": "null"}], "default": None}
    for value in head["properties"].values():
        _without_null(value)
    without = [kind for kind, model in SYSTEMS.items() if "workload" in getattr(model, "LEFT_OUT", ())]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ixviz scenario",
        "type": "object",
        "properties": {
            **head["properties"],
            "machine": ref[Machine],
            "system": {"oneOf": [ref[model] for model in SYSTEMS.values()]},
            "workload": {"oneOf": [ref[model] for model in WORKLOADS.values()]},
            "run": ref[Run],
        },
        "required": ["system"],
        "anyOf": [{"required": ["workload"]}, {"properties": {"system": {"properties": {"kind": {"enum": without}}}}}],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _default_with_unit(value: dict[str, Any]) -> None:
    """The default of a quantity as one would write it: `10 us`, not its picoseconds."""
    kind = value.pop("kind", None)
    if kind and "default" in value:
        value["default"] = format_quantity(value["default"], kind)


def _or_one_of(value: dict[str, Any], models: list[Any]) -> None:
    """Let a value also be one of some models."""
    own = {key: value.pop(key) for key in ("type", "pattern") if key in value}
    value["anyOf"] = [*value.get("anyOf", [own]), {"oneOf": models}]


def _without_null(value: dict[str, Any]) -> None:
    """Null is a missing value in a scenario; pydantic's schema allows it wherever None is the default."""
    value.pop("default", None) if value.get("default") is None else None
    if "anyOf" in value:
        value["anyOf"] = [choice for choice in value["anyOf"] if choice != {"type": "null"}]
        if len(value["anyOf"]) == 1:
            value.update(value.pop("anyOf")[0])
