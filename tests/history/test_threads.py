"""One thread records while another reads: what is readable is whole, and nothing is lost."""

from __future__ import annotations

import threading

from ixviz.history import Journal
from ixviz.scenario.load import bundled, load
from ixviz.scenario.simulate import simulate


def test_reading_while_another_thread_records() -> None:
    scenario = load(bundled("ix-one-core"), ["run.until=2 ms"])
    alone, shared = simulate(scenario, Journal()), simulate(scenario, Journal())
    while alone.record(5_000):
        pass
    shared.record(50)
    assert shared.journal is not None
    shared.journal.seal()
    failed: list[BaseException] = []

    def record() -> None:
        try:
            while shared.record(500):
                pass
        except BaseException as error:
            failed.append(error)

    writer = threading.Thread(target=record)
    writer.start()
    seen = 0
    while writer.is_alive():
        assert shared.history is not None
        last = len(shared.history) - 1
        assert last + 1 >= seen
        seen = last + 1
        assert shared.history.cursor(last).at == last
        shared.history.changes(last // 2)
    writer.join()
    assert not failed and alone.history is not None and shared.history is not None
    assert len(shared.history) == len(alone.history)
    last = len(alone.history) - 1
    assert shared.history.cursor(last).state_hash() == alone.history.cursor(last).state_hash()
