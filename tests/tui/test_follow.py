"""The notes view: the same picture as the presenter's, over a socket of this machine that trusts nobody else."""

import asyncio
import json
import os
import random
import socket
import stat
from pathlib import Path
from typing import Any

import pytest
from lesson.small import SMALL, changed
from tui.lectures import ALL, at, follow, opened, press, shown, typed, until

from ixviz.draw.cells import plain, width
from ixviz.lesson.load import load_lesson_text
from ixviz.scenario.simulate import picture_of
from ixviz.tui import notes as screen
from ixviz.tui.app import IxvizApp
from ixviz.tui.follow import Speaker, address_file, listen, read_address, remove_address, write_address
from ixviz.tui.lecture import lecture
from ixviz.tui.notes_state import Notes, told, understood
from ixviz.tui.present import compose
from ixviz.tui.present_screen import NotesScreen, PresentScreen
from ixviz.tui.present_state import Present

NOTED = changed(
    "    say: Batch 2 has",
    "    notes: |\n      Ask for hands.\n\n      Then wait.\n    leaves_out: Caches.\n    say: Batch 2 has",
    ALL,
)


def notes(text: str = ALL) -> Notes:
    return Notes(lecture(load_lesson_text(text)), picture_of)


def seen(view: Notes, width: int = 120, height: int = 36) -> str:
    return plain(screen.compose(view, width, height).lines)


# ------------------------------------------------------------------------------------------- the same picture
def test_the_picture_is_the_same_at_every_step_of_a_lecture() -> None:
    present, view = opened(), notes()
    keys = ["right", "pagedown", "left", "right", "left", "3", "space", "4", "space", "5", "enter", "t", "v", "1",
            "space", "1", "space", "8", "enter", "t", "pagedown", "left", "left", "c", "pageup", "pageup", "pagedown",
            "full_stop", "x", "question_mark", "x", "s", "+", "pagedown", "space", "pagedown", "pagedown", "pagedown",
            "pagedown", "pagedown", "pagedown", "pageup"]  # fmt: skip
    for size in ((80, 24), (100, 30)):
        for key in keys:
            press(present, key)
            present.clock.now += 7
            follow(view, present, *size)
            assert compose(view.present, *size).lines == compose(present, *size).lines, key
    assert present.page != "size"


def test_a_view_that_comes_late_or_lost_some_lines_shows_the_same() -> None:
    rng = random.Random(3)
    present, view = opened(), notes()
    for _ in range(60):
        press(present, rng.choice(["pagedown", "pagedown", "pageup", "left", "right", "s", "t", "full_stop"]))
        if present.lesson.over:
            press(present, "pageup", "pageup", "pageup")
        if rng.random() < 0.3:
            follow(view, present)
            assert compose(view.present, 80, 24).lines == compose(present, 80, 24).lines
    late = notes()
    follow(late, present)
    assert compose(late.present, 80, 24).lines == compose(present, 80, 24).lines


def test_while_it_plays_the_view_stands_where_the_presenter_does() -> None:
    present, view = opened(), notes()
    at(present, "size")
    press(present, "left", "left", "left", "space")
    assert present.state.playing
    for _ in range(20):
        present.tick(0.04)
        follow(view, present)
        assert view.present.state.branch.now == present.state.branch.now
        assert compose(view.present, 80, 24).lines == compose(present, 80, 24).lines
        view.tick()  # and it does not play by itself
        assert view.present.state.branch.now == present.state.branch.now


# ------------------------------------------------------------------------------------------- the notes
def test_notes_votes_what_to_skip_and_what_comes_next() -> None:
    present, view = opened(NOTED), notes(NOTED)
    assert "No presenter is running." in seen(view)
    follow(view, present)
    text = seen(view)
    assert "no notes" in text and "What came meanwhile, 1 min" in text and "How many will batch 3 have?" in text
    assert "reveals" not in text
    at(present, "size")
    typed(present, "3 12 20")
    press(present, "4")
    present.clock.now += 300
    follow(view, present)
    text = seen(view)
    assert "Ask for hands." in text and "Then wait." in text and "Caches." not in text
    assert "3 12 20 (t shows" in text and "typing 4" in text
    assert "PgDn      reveals the answer" in text and "No controller, 1 min" in text
    assert "too late to be on" in text
    assert text.split("\n")[0].endswith("2 of 5    5:00 of 5:00    behind 3:00")
    press(present, "escape", "pagedown")
    follow(view, present)
    assert "Caches." in seen(view) and "reveals" not in seen(view)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (80, 36), (160, 50), (40, 12), (50, 60), (9, 2)])
def test_every_frame_of_the_notes_has_exactly_its_size(size: tuple[int, int]) -> None:
    present, view = at(opened(NOTED), "size"), notes(NOTED)
    for step in range(5):
        if step:
            follow(view, present)
        view.picture_only = step == 2
        if step == 3:
            view.gone("lost")
        lines = screen.compose(view, *size).lines
        assert len(lines) == size[1] and {width(row) for row in lines} == {size[0]}


def test_the_whole_picture_is_there_wherever_it_fits() -> None:
    present, view = at(opened(NOTED), "size"), notes(NOTED)
    follow(view, present)
    picture = shown(present).split("\n")
    beside = [row[:80].rstrip() for row in seen(view, 120, 36).split("\n")]
    assert beside[1:25] == picture
    stacked = seen(view, 80, 37).split("\n")
    assert stacked[-25:-1] == picture and "Ask for hands." in "\n".join(stacked[:10])
    small = seen(view, 80, 24)
    assert "tab: all of it" in small and "Ask for hands." in small
    view.picture_only = True
    assert seen(view, 80, 26).split("\n")[1:25] == picture


def test_longer_notes_are_scrolled() -> None:
    text = changed("Then wait.", "Then wait. " + "Words and words. " * 60 + "At last.", NOTED)
    present, view = at(opened(text), "size"), notes(text)
    follow(view, present)
    assert "At last." not in seen(view, 80, 24) and "more notes" in seen(view, 80, 24)
    view.scroll = 99
    assert "What came" not in seen(view, 80, 24).split("\n")[1] and "No controller" in seen(view, 80, 24)


def test_a_question_whose_values_are_not_known_yet_is_told_without_them() -> None:
    assert screen.asked("Of $(batch(4).size) at $(a in us): b?") == "Of … at …: b?"


# ------------------------------------------------------------------------------------------- nonsense
def test_nonsense_is_passed_over() -> None:
    present, view = at(opened(), "size"), notes()
    good = told(present, 80, 24, view.edition)
    assert understood(good) == good
    follow(view, present)
    before = seen(view)
    bad: list[Any] = [None, 3, [], "x", {}, {"ixviz": 2}]
    for key in good:
        for value in (None, -1, 10**40, "x" * 500, [1], {}, True, 1.5):
            of_its_kind = value is None if key == "typed" else type(value) is type(good[key])
            if not of_its_kind or value in (-1, 10**40, "x" * 500):
                bad.append({**good, key: value})
        bad.append({name: value for name, value in good.items() if name != key})
    bad += [{**good, "votes": [[1] * 7]}, {**good, "votes": [[1, -2, 3]]}, {**good, "size": [80, 24, 3]}]
    for message in bad:
        assert understood(message) is None, message
        view.heard(message)
        assert seen(view) == before
    view.heard({**good, "event": 10**9, "now": 10**15})  # far beyond the stop: no further than it
    view.tick()
    assert view.present.state.branch.at == present.session.view_event
    view.heard({**good, "beat": "elsewhere"})
    assert "another lesson" in seen(view)
    view.heard({**good, "edition": "other"})
    assert "start both again" in seen(view).replace("\n", " ").replace("│", " ") or "has changed" in seen(view)


# ------------------------------------------------------------------------------------------- the address
def test_the_address_is_whole_private_and_taken_away_by_its_owner_only(tmp_path: Path) -> None:
    path = address_file(tmp_path / "state", "small")
    write_address(path, 4711, "abc1")
    assert read_address(path) == (4711, "abc1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and os.listdir(path.parent) == [path.name]
    remove_address(path, "other")
    assert path.exists()
    remove_address(path, "abc1")
    assert not path.exists() and read_address(path) is None


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", '{"port": 1}', '{"port": 0, "token": "a"}', '{"port": 70000, "token": "a"}',
     '{"port": "1", "token": "a"}', '{"port": 1, "token": "a b"}', '{"port": 1, "token": ""}', "\xff\x00",
     json.dumps({"port": 1, "token": "a" * 9_000})],
)  # fmt: skip
def test_a_file_that_is_no_address_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "address"
    path.write_bytes(text.encode("latin-1"))
    assert read_address(path) is None


def test_a_folder_that_cannot_be_written_is_an_error_with_nothing_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    async def work() -> None:
        for folder in (tmp_path / "file" / "state", None):
            speaker = Speaker(folder, "small")
            with pytest.raises(OSError):
                await speaker.open()
            if speaker.port:
                with pytest.raises(OSError):
                    await asyncio.open_connection("127.0.0.1", speaker.port)

    asyncio.run(work())


# ------------------------------------------------------------------------------------------- the socket
class Heard:
    """What a listener was told."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.gone: list[str] = []

    def listen(self, path: Path) -> "asyncio.Task[None]":
        def gone(why: str) -> None:
            if self.gone[-1:] != [why]:
                self.gone.append(why)

        return asyncio.ensure_future(listen(path, self.messages.append, gone))

    async def until(self, done: Any) -> None:
        for _ in range(2_000):
            if done(self):
                return
            await asyncio.sleep(0.005)
        raise AssertionError((self.messages[-3:], self.gone))


async def test_several_followers_hear_what_is_said(tmp_path: Path) -> None:
    speaker = Speaker(tmp_path, "small")
    await speaker.open()
    speaker.say({"n": 1})
    some = [Heard() for _ in range(3)]
    tasks = [each.listen(speaker.path) for each in some]
    for each in some:
        await each.until(lambda h: h.messages == [{"n": 1}])
    speaker.say({"n": 1})  # nothing new
    speaker.say({"n": 2})
    for each in some:
        await each.until(lambda h: h.messages[-1] == {"n": 2})
        assert each.messages == [{"n": 1}, {"n": 2}]
    await speaker.close()
    for each in some:
        await each.until(lambda h: h.gone[-2:] == ["lost", "none"])
    assert os.listdir(tmp_path) == []
    again = Speaker(tmp_path, "small")
    again.say({"n": 3})
    await again.open()
    for each in some:
        await each.until(lambda h: h.messages[-1] == {"n": 3})
    for task in tasks:
        task.cancel()
    await again.close()


async def test_only_this_machine_is_listened_to(tmp_path: Path) -> None:
    speaker = Speaker(tmp_path, "small")
    await speaker.open()
    assert [each.getsockname()[0] for each in speaker._server.sockets] == ["127.0.0.1"]
    await speaker.close()


@pytest.mark.parametrize(
    "hello",
    [b"", b"\n", b"wrong\n", b"x" * 100_000, b"\x00\xff\n", b"GET / HTTP/1.1\r\n\r\n", "known, then noise", "too late"],
)
async def test_whoever_does_not_know_the_token_hears_nothing(
    tmp_path: Path, hello: bytes | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ixviz.tui.follow.HELLO_SECONDS", 0.2)
    speaker = Speaker(tmp_path, "small")
    await speaker.open()
    speaker.say({"secret": 1})
    reader, writer = await asyncio.open_connection("127.0.0.1", speaker.port)
    if hello == "known, then noise":
        writer.write(speaker.token.encode() + b"\n")
        assert json.loads(await reader.readline()) == {"secret": 1}
        writer.write(b"{" * 10_000)
    elif isinstance(hello, bytes):
        writer.write(hello)
    try:
        rest = await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        rest = b""
    assert rest == b""
    assert not speaker.followers
    writer.transport.abort()
    await speaker.close()


async def test_a_follower_that_hangs_costs_the_presenter_nothing(tmp_path: Path) -> None:
    speaker = Speaker(tmp_path, "small")
    await speaker.open()
    stuck = socket.socket()
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    stuck.connect(("127.0.0.1", speaker.port))
    stuck.sendall(speaker.token.encode() + b"\n")
    heard = Heard()
    task = heard.listen(speaker.path)
    for _ in range(1_000):
        if len(speaker.followers) == 2:
            break
        await asyncio.sleep(0.005)
    assert len(speaker.followers) == 2
    sent = [0]
    while len(speaker.followers) == 2:  # it never reads: what waits for it is bounded
        sent[0] += 1
        assert sent[0] < 2_000
        speaker.say({"n": sent[0], "text": "x" * 20_000})
        await asyncio.sleep(0)
        await heard.until(lambda h: h.messages and h.messages[-1]["n"] == sent[0])
    stuck.close()
    speaker.say({"n": "last"})
    await heard.until(lambda h: h.messages[-1] == {"n": "last"})
    task.cancel()
    await speaker.close()


async def test_a_stale_address_is_told_and_a_stranger_at_its_port_is_none(tmp_path: Path) -> None:
    path = address_file(tmp_path, "small")
    free = socket.socket()
    free.bind(("127.0.0.1", 0))
    write_address(path, free.getsockname()[1], "abc1")  # nobody listens there
    heard = Heard()
    task = heard.listen(path)
    await heard.until(lambda h: h.gone == ["stale"])
    free.close()
    noise = [b"220 mail\r\n" * 5, b"\xff" * 200_000, b"[" * 60_000 + b"\n", b"[1]\n", b""]

    async def stranger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(noise.pop())
        writer.close()

    server = await asyncio.start_server(stranger, "127.0.0.1", 0)
    write_address(path, server.sockets[0].getsockname()[1], "abc1")
    await heard.until(lambda h: not noise)
    assert heard.gone == ["stale"] and heard.messages == []
    task.cancel()
    server.close()


async def test_a_presenter_that_falls_silent_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ixviz.tui.follow.GONE_SECONDS", 0.3)
    speaker = Speaker(tmp_path, "small")
    await speaker.open()
    speaker._beat.cancel()
    speaker.say({"n": 1})
    heard = Heard()
    task = heard.listen(speaker.path)
    await heard.until(lambda h: h.gone == ["lost"])
    task.cancel()
    await speaker.close()


# ------------------------------------------------------------------------------------------- both screens
async def test_the_two_screens_together(tmp_path: Path) -> None:
    present, view = Present(lecture(load_lesson_text(NOTED)), picture_of), notes(NOTED)
    presenter = IxvizApp(first=lambda: PresentScreen(present, tmp_path), light=True)
    follower = IxvizApp(first=lambda: NotesScreen(view, tmp_path))
    async with follower.run_test(size=(120, 36)) as second:
        assert "No presenter is running." in follower.screen.canvas.text()
        async with presenter.run_test(size=(80, 24)) as first:
            assert presenter.colours == "light"
            for key in ("pagedown", "pagedown", "3", "space", "4", "space", "5", "enter", "t", "pagedown"):
                await first.press(key)
                for _ in range(400):
                    await first.pause(0.005)
                    await second.pause(0.005)
                    if view.same() and not present.busy and view.present.message == present.message:
                        break
                if key == "enter" and present.typed is None:
                    assert present.votes.of("size") == [(3, 4, 5)]
            mine = presenter.screen.canvas.text().split("\n")
            for _ in range(400):
                theirs = [row[:80].rstrip() for row in follower.screen.canvas.text().split("\n")[1:25]]
                if theirs[1:] == mine[1:]:
                    break
                await second.pause(0.01)
            assert theirs[1:] == mine[1:] and any(row.startswith("✓ b  6") for row in mine)
            assert len(os.listdir(tmp_path)) == 1
            await first.press("T")
            assert presenter.colours == "dark"
            await first.press("q")
        assert presenter.return_code == 0 and os.listdir(tmp_path) == []
        for _ in range(400):
            if "The presenter is gone." in follower.screen.canvas.text():
                break
            await second.pause(0.01)
        assert "The presenter is gone." in follower.screen.canvas.text()
        await second.press("tab", "tab", "q")
    assert follower.return_code == 0


async def test_a_lecture_without_a_place_for_its_address_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    present = Present(lecture(load_lesson_text(SMALL)), picture_of)
    app = IxvizApp(first=lambda: PresentScreen(present, tmp_path / "file" / "state"))
    async with app.run_test(size=(80, 24)) as pilot:
        assert "the notes view cannot follow" in app.screen.canvas.text()
        await pilot.press("pagedown")
        until(lambda: not present.busy, lambda: present.tick(0.03))
        await pilot.press("q")
    assert app.return_code == 0
