"""Clock and agenda: ties by process id, one alarm a process, the clock only where something happened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ixviz.machine.agenda import Agenda


class Noting:
    """Notes when it is woken; may arm itself again."""

    def __init__(self, name: str, told: list[tuple[str, int]], again: list[int] | None = None) -> None:
        self.name, self.told, self.again = name, told, again or []

    def wake(self, now: int) -> None:
        self.told.append((self.name, now))
        if self.again:
            self.alarm.arm(self.again.pop(0))


def made(*orders: int) -> tuple[Agenda, list[Noting], list[tuple[str, int]]]:
    agenda, told = Agenda(), []
    processes = [Noting(str(order), told) for order in orders]
    for process, order in zip(processes, orders, strict=True):
        process.alarm = agenda.alarm(process, order)  # type: ignore[attr-defined]
    return agenda, processes, told


@given(st.permutations([0, 1, 2, 3, 4]), st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_at_one_instant_the_lower_id_runs_first_however_they_were_armed(order: list[int], times: list[int]) -> None:
    agenda, processes, told = made(*range(5))
    for i in order:
        processes[i].alarm.arm(times[i])  # type: ignore[attr-defined]
    agenda.run_until(9)
    assert told == sorted(((str(i), times[i]) for i in range(5)), key=lambda x: (x[1], x[0]))
    assert agenda._now == 9


def test_arming_anew_replaces_what_was_before() -> None:
    agenda, (one,), told = made(1)
    for at in (9, 3, 9, 5, 5):
        one.alarm.arm(at)  # type: ignore[attr-defined]
    agenda.run_until(20)
    assert told == [("1", 5)] and one.alarm.at == -1  # type: ignore[attr-defined]


def test_a_replaced_entry_does_not_move_the_clock() -> None:
    for drain in ("step", "run_out"):
        agenda, (one,), told = made(1)
        one.alarm.arm(30)  # type: ignore[attr-defined]
        one.alarm.arm(7)  # type: ignore[attr-defined]
        if drain == "step":
            while agenda._queue:
                agenda.step()
        else:
            agenda.run_out()
        assert told == [("1", 7)] and agenda._now == 7


def test_a_process_may_arm_itself_for_the_same_instant() -> None:
    agenda, (one, two), told = made(2, 1)
    one.again = [4, 4, 6]
    one.alarm.arm(4)  # type: ignore[attr-defined]
    two.alarm.arm(4)  # type: ignore[attr-defined]
    agenda.run_until(5)
    assert told == [("1", 4), ("2", 4), ("2", 4), ("2", 4)] and agenda._now == 5
    agenda.run_until(6)
    assert told[-1] == ("2", 6)
    with pytest.raises(IndexError):
        agenda.step()
