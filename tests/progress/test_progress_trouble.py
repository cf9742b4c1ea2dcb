"""Folders that cannot be written, files that are none of ours: told once, nothing lost, and the lesson goes on."""

import errno
import json
import os
from pathlib import Path

import pytest
from progress.fake_session import FakeSession

from ixviz.progress import Store, files


def attached(folder: Path | None) -> tuple[FakeSession, Store, str | None]:
    session, store = FakeSession(), Store(folder)
    return session, store, store.attach(session)


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in (folder / "progress").iterdir() if p.name != ".lock")


GOOD = {"version": 1, "lesson": "fake", "title": "T", "at": None, "done": False, "order": [], "beats": {}}
BAD = [
    b"", b"\0\0\0", b"{", b"[]", b"null", b"{}", b"\xff\xfe\xff", b"[" * 100_000, b'{"version": ' + b"9" * 5000 + b"}",
    *(json.dumps({**GOOD, **bad}).encode() for bad in (
        {"version": 0}, {"version": True}, {"version": "1"}, {"title": 3}, {"at": 3}, {"done": None}, {"order": {}},
        {"order": ["a"]}, {"order": [{"id": "a"}]}, {"beats": []}, {"beats": {"q0": "right"}},
        {"beats": {"q0": {"result": "solved", "said": "", "fingerprint": ""}}},
        {"beats": {"q0": {"result": ["right"], "said": "", "fingerprint": ""}}},
        {"beats": {"q0": {"result": "right", "said": 3, "fingerprint": ""}}},
        {"beats": {"q0": {"result": "right", "said": "", "fingerprint": "", "reviewed": 1}}})),
    b" " * 16_000_001,
]  # fmt: skip


@pytest.mark.parametrize("content", BAD, ids=range(len(BAD)))
def test_a_broken_file_is_kept_aside_and_told_once(tmp_path, content):
    folder = tmp_path / "progress"
    folder.mkdir()
    (folder / "fake.json").write_bytes(content)
    (folder / "fake.json.broken-1").write_text("an older one")
    assert Store(tmp_path).read("fake") is None and Store(tmp_path).lessons() == {}
    assert len(Store(tmp_path).troubles()) == 1
    session, store, said = attached(tmp_path)
    assert said == "progress was broken and begins anew; the old file is now fake.json.broken-2"
    assert (folder / "fake.json.broken-2").read_bytes() == content
    assert (folder / "fake.json.broken-1").read_text() == "an older one"
    session.close("q0", "right", "a")
    assert store.take() == "" and Store(tmp_path).read("fake").answers["q0"].result == "right"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_what_is_no_file_is_kept_aside_too(tmp_path, make):
    (tmp_path / "progress").mkdir()
    make(tmp_path / "progress" / "fake.json")
    _, _, said = attached(tmp_path)
    assert "begins anew" in said and names(tmp_path) == ["fake.json", "fake.json.broken-1"]


def test_a_later_version_is_left_alone(tmp_path):
    (tmp_path / "progress").mkdir()
    file = tmp_path / "progress" / "fake.json"
    file.write_text('{"version": 2, "new": "things"}')
    session, store, said = attached(tmp_path)
    assert "written by a newer ixviz" in said and session.index == 0
    session.close("q0", "right", "a")
    session.go_on()
    assert store.take() == "" and file.read_text() == '{"version": 2, "new": "things"}'
    with pytest.raises(OSError, match="newer ixviz"):
        store.reset("fake")
    with pytest.raises(OSError, match="newer ixviz"):
        store.reset()
    assert names(tmp_path) == ["fake.json"]


def test_reset_removes_the_others_beside_a_later_version(tmp_path):
    attached(tmp_path)
    (tmp_path / "progress" / "a.json").write_text('{"version": 2}')
    with pytest.raises(OSError, match="newer ixviz"):
        Store(tmp_path).reset()
    assert names(tmp_path) == ["a.json"]


@pytest.mark.parametrize("below", [".", "state"])
def test_a_folder_that_cannot_be_made(tmp_path, below):
    (tmp_path / "file").write_text("in the way")
    session, store, said = attached(tmp_path / "file" / below)
    assert said.startswith("progress is not kept: ")
    session.close("q0", "right", "a")
    session.go_on()
    assert store.take() == "" and store.read("fake") is None and store.lessons() == {} and store.reset() == []


def test_no_home_at_all():
    session, store, said = attached(None)
    assert said == "progress is not kept: there is no home folder, set IXVIZ_STATE to a folder"
    session.close("q0", "right", "a")
    assert store.take() == "" and store.ids() == [] and store.troubles() == []


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace", "mkdir"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_fails_loses_nothing_and_is_caught_up_with(tmp_path, monkeypatch, call, number):
    session, store, _ = attached(tmp_path)
    session.close("q0", "right", "a")
    before = (tmp_path / "progress" / "fake.json").read_bytes()
    real = getattr(os, call)

    def fails(path, *args, **more):
        if call == "open" and not (isinstance(path, Path) and path.name.endswith(".tmp")):
            return real(path, *args, **more)
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        if call == "mkdir":
            patch.setattr(Path, "mkdir", fails)
        else:
            patch.setattr(os, call, fails)
        session.close("q1", "wrong", "b")
        session.close("q2", "skipped")
        assert store.take() == f"progress is not kept: {os.strerror(number)} ({tmp_path / 'progress'})"
        session.close("q3", "right", "b")
        assert store.take() == ""
    assert (tmp_path / "progress" / "fake.json").read_bytes() == before
    assert names(tmp_path) == ["fake.json"]
    session.go_on()
    assert {b: a.result for b, a in store.read("fake").answers.items()} == {
        "q0": "right", "q1": "wrong", "q2": "skipped", "q3": "right",
    }  # fmt: skip


def test_a_file_that_cannot_be_read_is_not_overwritten(tmp_path, monkeypatch):
    attached(tmp_path)[0].close("q0", "right", "a")
    before = (tmp_path / "progress" / "fake.json").read_bytes()

    def fails(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(files, "read", fails)
        session, _, said = attached(tmp_path)
        assert said.startswith("progress is not kept: Permission denied")
        session.close("q1", "right", "a")
    assert (tmp_path / "progress" / "fake.json").read_bytes() == before


def test_another_instance_that_does_not_let_go(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    session, store, _ = attached(tmp_path)
    monkeypatch.setattr(files, "_PATIENCE", 0.02)
    with open(tmp_path / "progress" / ".lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        session.close("q0", "right", "a")
        assert "another ixviz holds the folder" in store.take()
        assert store.read("fake").answers == {}
    session.close("q1", "right", "a")
    assert set(store.read("fake").answers) == {"q0", "q1"}


def test_a_file_system_without_locks_is_written_all_the_same(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def fails(fd, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", fails)
    session, _, said = attached(tmp_path)
    session.close("q0", "right", "a")
    assert said is None and set(Store(tmp_path).read("fake").answers) == {"q0"}


@pytest.mark.parametrize("lesson", ["", "../evil", "a/b", "A", "a.b", "\x1b[2J"])
def test_an_id_that_is_no_name_of_a_file_of_ours(tmp_path, lesson):
    session, store = FakeSession(2, lesson), Store(tmp_path / "state")
    assert "cannot be the id of a lesson" in store.attach(session)
    assert store.read(lesson) is None and store.reset(lesson) == []
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_instance_left_is_swept(tmp_path):
    (tmp_path / "progress").mkdir()
    (tmp_path / "progress" / ".fake.json.123.tmp").write_text("{")
    attached(tmp_path)
    assert names(tmp_path) == ["fake.json"]


def test_trouble_while_a_lesson_runs_is_told_as_the_next_beat_begins(tmp_path, monkeypatch):
    session, store, _ = attached(tmp_path)
    told: list[str] = []
    session.listener.tell = told.append
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda fd: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")))
        session.phase = "answered"
        session.close("q0", "right", "a")
        assert told == []  # the outcome of the answer takes the line
        session.phase = "asking"
        session.go_on()
        session.go_on()
    assert len(told) == 1 and "No space left" in told[0] and store.take() == ""
