"""Golden frames: `golden(name, lines, width)` compares text with golden/<name>.txt and checks every width.

A missing file fails with the text it would have; IXVIZ_GOLDEN=write writes the files anew, to be read in the diff.
"""

import difflib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from ixviz.draw.cells import Lines, ascii_twin, plain, width

settings.register_profile("no deadline", deadline=None)  # a busy machine is no error
settings.load_profile("no deadline")

FOLDER = Path(__file__).parent / "golden"
Golden = Callable[[str, Lines, int], None]


@pytest.fixture
def golden() -> Golden:
    def check(name: str, lines: Lines, cells: int) -> None:
        wrong = [(i, width(row), plain([row])) for i, row in enumerate(lines) if width(row) != cells]
        assert not wrong, f"lines that are not {cells} wide: {wrong}"
        for row in lines:
            twin = plain([ascii_twin(row)])
            assert twin.isascii()
            assert width(ascii_twin(row)) == cells
        file, text = FOLDER / f"{name}.txt", plain(lines) + "\n"
        if os.environ.get("IXVIZ_GOLDEN") == "write":
            file.write_text(text, encoding="utf-8")
        expected = file.read_text(encoding="utf-8") if file.exists() else ""
        diff = difflib.unified_diff(expected.splitlines(), text.splitlines(), str(file), "drawn", lineterm="")
        assert text == expected, "\n".join(diff)

    return check
