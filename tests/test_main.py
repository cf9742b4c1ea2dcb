"""The way in is quick, says what it needs, and can be read by a Python that is too old."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ixviz
from ixviz import __main__

HEAVY = {"textual", "rich", "numpy", "simpy", "click", "pydantic", "yaml", "networkx", "ixviz.cli"}


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_an_old_python_can_read_it(name: str) -> None:
    text = (Path(ixviz.__file__).parent / name).read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 6))
    imports = [node.module for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)]
    assert set(imports) <= {"ixviz"}


def test_an_old_python_is_told_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    assert __main__.main() == 2
    assert capsys.readouterr().err == "ixviz: needs Python 3.11 or newer, this is 3.9\n"


def test_version_imports_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv = ['ixviz', '--version']\n"
        "from ixviz.__main__ import main; status = main()\n"
        "print(*sys.modules, file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"ixviz {ixviz.__version__}\n"
    assert not HEAVY & set(done.stderr.split())
