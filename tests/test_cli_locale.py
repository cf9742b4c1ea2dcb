"""Which signs a terminal is sent, by what its locale is called."""

import sys

import pytest

from ixviz.cli import _no_utf8


@pytest.mark.parametrize("given, dull", [
    ({}, False), ({"LANG": "en_US.UTF-8"}, False), ({"LANG": "C.utf8"}, False), ({"LC_ALL": "C"}, True),
    ({"LC_ALL": "POSIX"}, True), ({"LANG": "de_DE.ISO-8859-1"}, True), ({"LC_ALL": "de_DE.ISO-8859-15@euro"}, True),
    ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, True), ({"LC_CTYPE": "C.UTF-8", "LANG": "C"}, False),
    ({"LC_ALL": "en_US.UTF-8", "LANG": "C"}, False), ({"LANG": "de_DE"}, False),
])  # fmt: skip
def test_ascii_by_itself(given: dict[str, str], dull: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert _no_utf8() is dull


def test_ascii_where_the_output_is_no_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    class Latin:
        encoding = "latin-1"

    monkeypatch.setattr(sys, "stdout", Latin())
    assert _no_utf8()
