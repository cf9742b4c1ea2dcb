"""Colours: what each meaning of a span looks like, on dark, on light, and without colour.

Invariant: a style adds to what signs and words say already; without colours nothing is lost.
"""

from __future__ import annotations

from functools import lru_cache

from rich.style import Style

Palette = dict[str, Style]


def _of(table: dict[str, str], ground: str) -> Palette:
    base = Style.parse(table[""] + ground)
    return {name: base + Style.parse(text) if text else base for name, text in table.items()}


_DARK = {
    "": "#d6dbe1",
    "dim": "#8b96a3",
    "bold": "bold #ffffff",
    "emphasis": "italic #ffffff",
    "title": "bold #ffffff",
    "key": "bold #7fc8ff",
    "choice": "bold #ffd479",
    "mark": "bold #ffb454",
    "here": "bold #ffd479",
    "now": "bold #ffd479",
    "hidden": "italic #b9a3e3",
    "busy": "#6fc2a0",
    "idle": "#8b96a3",
    "drop": "bold #ff8f80",
    "warn": "bold #ffb454",
    "good": "bold #8fd694",
    "bad": "bold #ff8f80",
    "core0": "#7fc8ff",
    "core1": "#ffb454",
    "core2": "#8fd694",
    "core3": "#ff9fc3",
    "core4": "#c5a9ff",
    "core5": "#e6d36c",
    "core6": "#6fd6d6",
    "core7": "#ff9b7a",
}
_LIGHT = {
    "": "#1d242b",
    "dim": "#5b6671",
    "bold": "bold #000000",
    "emphasis": "italic #000000",
    "title": "bold #000000",
    "key": "bold #00579c",
    "choice": "bold #8a4b00",
    "mark": "bold #9a4400",
    "here": "bold #8a4b00",
    "now": "bold #8a4b00",
    "hidden": "italic #5f3fa0",
    "busy": "#0b6b4b",
    "idle": "#5b6671",
    "drop": "bold #b3261e",
    "warn": "bold #9a4400",
    "good": "bold #1d6b27",
    "bad": "bold #b3261e",
    "core0": "#00579c",
    "core1": "#9a4400",
    "core2": "#1d6b27",
    "core3": "#a0195b",
    "core4": "#5f3fa0",
    "core5": "#6b5b00",
    "core6": "#00656b",
    "core7": "#a33b12",
}
_PLAIN = {
    **dict.fromkeys(_DARK, ""),
    "dim": "dim",
    "idle": "dim",
    "bold": "bold",
    "emphasis": "italic",
    "title": "bold",
    "key": "bold",
    "choice": "bold",
    "mark": "bold",
    "here": "bold",
    "now": "bold",
    "hidden": "italic",
    "warn": "bold",
    "good": "bold",
    "bad": "bold underline",
    "drop": "bold underline",
}
GROUNDS = {"dark": "#12171d", "light": "#fbfaf7"}


@lru_cache
def palette(name: str) -> Palette:
    """The styles of `dark`, `light` or `plain`."""
    if name == "plain":
        return {key: Style.parse(text) if text else Style.null() for key, text in _PLAIN.items()}
    return _of(_DARK if name == "dark" else _LIGHT, f" on {GROUNDS[name]}")
