"""Lines against cores: sketch E, any size, and what goes first where there is little room."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ixviz.draw.cells import ascii_twin, plain, width
from ixviz.draw.coherence import LineRow, coherence, legend

E = [
    LineRow("listen.lock", "lock, 2 waiters", ("I", "M", "I", "I"), 1204, "c3→c1 accept()", {1}),
    LineRow("dst 10.0.0.7", "reference count", ("I", "I", "M", "I"), 891, "c0→c2 routing", (2,)),
    LineRow("sock 41", "state and timer", ("M", "I", "I", "I"), 0, ""),
    LineRow("q0", "ring", ("M", "", "", ""), 0, "", (), True),
]


def test_the_sketch() -> None:
    assert plain(coherence(E, 4, 80, title="lines touched")).splitlines() == [
        "  lines touched                   c0 c1 c2 c3  moves   why",
        "  listen.lock    lock, 2 waiters   I »M  I  I  1,204   c3→c1 accept()",
        "  dst 10.0.0.7   reference count   I  I »M  I    891   c0→c2 routing",
        "  sock 41        state and timer   M  I  I  I      0",
        "▸ q0             ring              M  ·  ·  ·      0",
    ]
    assert (
        plain([legend("ISEM", 80)]) == "M modified  E exclusive  S shared  I invalid  · never touched  » moved just now"
    )
    assert plain([legend("ISM", 60)]) == "M modified  S shared  I invalid"


def test_with_little_room_the_letters_and_moves_stay() -> None:
    narrow = plain(coherence(E, 4, 54)).splitlines()
    assert "lock, 2" not in narrow[1] and narrow[1].endswith("I »M  I  I  1,204   c3→c1 accept()")
    narrower = plain(coherence(E, 4, 34)).splitlines()
    assert narrower[1].endswith("I »M  I  I  1,204")


def test_more_cores_than_fit_show_those_that_have_a_copy() -> None:
    states = tuple("S" if core % 50 == 49 else "" for core in range(256))
    head, row = plain(coherence([LineRow("x", "", states, 3, "", {49})], 256, 60)).splitlines()
    assert row.split() == ["x", "»S", "S", "S", "S", "S", "3"] and head.endswith("5 of 256 cores")


LETTERS = st.sampled_from(["", "I", "S", "E", "M", "O"])


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.data(), st.integers(1, 70), st.integers(0, 130))
def test_every_line_has_the_width(data: st.DataObject, cores: int, cells: int) -> None:
    row = st.builds(
        LineRow, st.text(max_size=30), st.text(max_size=30),
        st.lists(LETTERS, min_size=cores, max_size=cores), st.integers(0, 10**7), st.text(max_size=20),
        st.lists(st.integers(0, cores - 1), max_size=3), st.booleans(),
    )  # fmt: skip
    rows = data.draw(st.lists(row, max_size=4))
    lines = coherence(rows, cores, cells)
    assert len(lines) == (len(rows) + 1 if cells else 0)
    for drawn in (*lines, legend("ISEMO", cells)):
        assert width(drawn) == cells
        assert plain([ascii_twin(drawn)]).isascii()
