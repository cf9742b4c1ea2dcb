"""Hypothesis: random scripts for naive.script, with ties in time, wide and negative values, late components."""

from __future__ import annotations

from hypothesis import strategies as st

VALUES = st.one_of(
    st.integers(-3, 3), st.sampled_from([2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**40, 2**62, -(2**62), 1]),
)  # fmt: skip


@st.composite
def operations(draw: st.DrawFn) -> tuple[int, ...]:
    """One event."""
    head = (draw(st.sampled_from([0, 0, 1, 5, 10**9])), draw(st.integers(1, 3)), draw(st.integers(0, 4)))
    body: list[int] = []
    for _ in range(draw(st.integers(0, 4))):
        body += [draw(st.integers(0, 5)), draw(st.sampled_from([0, 1, 2, 3, 9])), draw(VALUES)]
    return (*head, *body)


SCRIPTS = st.lists(operations(), max_size=25)
