"""What an unquoted word of a YAML file is: nothing, true or false, a number, or text (YAML 1.2, core schema).

Invariant: a spelling that other readers take for another value is refused, never guessed (010, 1_6).
"""

from __future__ import annotations

import re
from typing import Final

from ixviz.scenario.messages import cut

Scalar = None | bool | int | float | str

_WORDS: Final[dict[str, Scalar]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_INTEGER: Final = re.compile(r"[-+]?[0-9]+", re.ASCII)
_HEX: Final = re.compile(r"0x[0-9a-fA-F]+", re.ASCII)
_OCTAL: Final = re.compile(r"0o[0-7]+", re.ASCII)
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_LEADING_ZERO: Final = re.compile(r"[-+]?0[0-9]")
_UNDERSCORE: Final = re.compile(r"[-+]?(?=[0-9]*[0-9.]*_)[0-9][0-9_]*(?:\.[0-9_]*)?", re.ASCII)
_MOST_DIGITS: Final = 100  # Python refuses to read integers of more than 4300 digits; nobody needs 100

CORE: Final = "tag:yaml.org,2002:"
_KINDS: Final[dict[str, tuple[type, ...]]] = {
    CORE + "int": (int,),
    CORE + "float": (float, int),
    CORE + "bool": (bool,),
    CORE + "null": (type(None),),
}


class ScalarError(ValueError):
    """A scalar that is refused; the message says why and what to write."""


def resolve(word: str) -> Scalar:
    """The value of an unquoted `word`. Raises ScalarError for a number that can be read in two ways or is too long."""
    if word in _WORDS:
        return _WORDS[word]
    if word[0] not in "+-.0123456789":
        return word
    if _FLOAT.fullmatch(word):
        if len(word) > _MOST_DIGITS:
            raise ScalarError(f"a number of {len(word)} characters is too long, at most {_MOST_DIGITS} are allowed")
        if _LEADING_ZERO.match(word):
            plain = word.lstrip("+-").lstrip("0")
            plain = plain if plain[:1].isdigit() else f"0{plain}"
            sign = "-" if word[0] == "-" else ""
            raise ScalarError(f'the leading zero of {word} is ambiguous: write {sign}{plain}, or "{word}" for text')
        return int(word) if _INTEGER.fullmatch(word) else float(word)
    if _HEX.fullmatch(word) or _OCTAL.fullmatch(word):
        if len(word) > _MOST_DIGITS:
            raise ScalarError(f"a number of {len(word)} characters is too long, at most {_MOST_DIGITS} are allowed")
        return int(word, 0)
    if _UNDERSCORE.fullmatch(word) and len(word) <= _MOST_DIGITS:
        plain = word.replace("_", "")
        raise ScalarError(f'a number has no underscore: write {plain}, or "{word}" for text')
    return word


def tagged(word: str, tag: str) -> Scalar:
    """The value of `word` under an explicit tag. Raises ScalarError for a tag that is not of the core schema."""
    if tag in ("!", CORE + "str"):
        return word
    if tag not in _KINDS:
        raise ScalarError(unknown(tag))
    value = resolve(word)
    if not isinstance(value, _KINDS[tag]) or (isinstance(value, bool) and tag != CORE + "bool"):
        raise ScalarError(f"the value does not fit its tag {spelled(tag)}")
    return value


def unknown(tag: str) -> str:
    """What is said of a tag that is none: `!x` was most likely meant as a text."""
    quotes = "" if tag.startswith(CORE) else "; a text that begins with ! needs quotes"
    return f"unknown tag {cut(spelled(tag))}{quotes}"


def spelled(tag: str) -> str:
    """`tag` as it is written in a file: `!!set` for tag:yaml.org,2002:set."""
    return "!!" + tag.removeprefix(CORE) if tag.startswith(CORE) else tag
