"""A class's votes: typed, read from a file, hidden, shown, voted again, revealed."""

import os
from pathlib import Path

import pytest
from lesson.small import changed
from tui.lectures import ALL, at, opened, press, shown, typed

from ixviz.tui.present_state import POLL
from ixviz.tui.votes import MOST, Votes, VotesFile, read_counts, read_votes

CHOICES = {"size": 3, "settle": 3}


# ------------------------------------------------------------------------------------------- counts
@pytest.mark.parametrize("text", ["3 12 20", " 3, 12,20 ", "3,12,20", "003 12 20"])
def test_counts_are_read(text: str) -> None:
    assert read_counts(text, 3) == (3, 12, 20)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3 12", "3 counts are wanted, for a to c; these are 2"),
        ("3", "3 counts are wanted, for a to c; this is 1"),
        ("1 2 3 4", "3 counts are wanted, for a to c; these are 4"),
        ("", "3 counts are wanted, for a to c; these are 0"),
        ("1 -2 3", "3 counts are wanted, for a to c: whole numbers, and -2 is none"),
        ("1 2.5 3", "3 counts are wanted, for a to c: whole numbers, and 2.5 is none"),
        ("1 ² 3", "3 counts are wanted, for a to c: whole numbers, and ² is none"),
        ("1 \x1b[31m 3", "3 counts are wanted, for a to c: whole numbers, and \\x1b[31m is none"),
        ("1 100000 3", "100000 is too large: at most 99,999 heads"),
        (f"1 {'9' * 5_000} 3", f"{'9' * 19}… is too large: at most 99,999 heads"),
    ],
)
def test_wrong_counts_are_told_in_one_line(text: str, told: str) -> None:
    with pytest.raises(ValueError) as error:
        read_counts(text, 3)
    assert str(error.value) == told


def test_a_second_vote_is_kept_beside_the_first() -> None:
    votes = Votes()
    assert not votes.again("size")
    votes.put("size", (1, 2, 3))
    votes.put("size", (1, 2, 4))  # a correction
    assert votes.of("size") == [(1, 2, 4)]
    assert votes.again("size") and not votes.again("size")
    votes.put("size", (0, 7, 0))
    assert votes.of("size") == [(1, 2, 4), (0, 7, 0)] and votes.of("settle") == []


# ------------------------------------------------------------------------------------------- the file
def test_a_file_has_a_line_for_each_vote() -> None:
    text = "# the class of Monday\nsize: 3 12 20  # first\n\nsettle: 1 1 1\nsize: 0 2 33\n"
    assert read_votes(text, "votes", CHOICES) == ({"size": [(3, 12, 20), (0, 2, 33)], "settle": [(1, 1, 1)]}, None)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("size 1 2 3", "votes:2:1: a line is `beat-id: 3 12 20 10 17`"),
        ("  sise: 1 2 3", "votes:2:3: sise: sise is no beat with choices, did you mean size?"),
        ("size: 1 2", "votes:2:1: size: 3 counts are wanted, for a to c; these are 2"),
        ("size: 1 2 3\nsize: 1 2 3", "votes:3:1: size: this beat has two votes already"),
    ],
)
def test_a_mistake_in_the_file_has_its_place_and_spoils_no_other_line(line: str, told: str) -> None:
    found, problem = read_votes(f"size: 4 5 6\n{line}\nsettle: 7 8 9", "votes", CHOICES)
    assert str(problem) == told
    assert found["size"][0] == (4, 5, 6) and found["settle"] == [(7, 8, 9)]


def test_a_file_is_read_again_when_it_has_changed_and_rested(tmp_path: Path) -> None:
    path = tmp_path / "votes"
    path.write_text("size: 1 2 3\n")
    file = VotesFile(path, CHOICES)
    assert file.first() == {"size": [(1, 2, 3)]}
    assert file.changed() is None
    path.write_text("size: 1 2 3\nsettle: 4")  # half of a line: its writer is not done
    assert file.changed() is None
    path.write_text("size: 1 2 3\nsettle: 4 5 6\n")
    assert file.changed() is None
    assert file.changed() == {"size": [(1, 2, 3)], "settle": [(4, 5, 6)]}
    other = tmp_path / "new"
    other.write_text("size: 9 9 9\nsettle: 4 5 6\n")
    os.replace(other, path)
    assert file.changed() is None
    assert file.changed() == {"size": [(9, 9, 9)], "settle": [(4, 5, 6)]}
    path.unlink()
    assert file.changed() is None and file.changed() is None


def test_what_is_no_ordinary_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "none", "."):
        with pytest.raises(OSError):
            VotesFile(tmp_path / name, CHOICES).first()


# ------------------------------------------------------------------------------------------- on the screen
def test_counts_are_hidden_until_t() -> None:
    present = at(opened(), "size")
    before = shown(present)
    press(present, *"31", "space", *"43", "space", "7")
    assert "counts of a to c: ** ** 7█   3 of 3" in shown(present)  # only the one being typed can be read
    press(present, "1", "enter")
    hidden = shown(present)
    assert "145 answers" in hidden and not any(sign in hidden for sign in ("█", "31", "43", "71"))
    assert hidden.split("\n")[:17] == before.split("\n")[:17]  # and nothing has moved
    press(present, "t")
    rows = {row.split()[0]: row for row in shown(present).split("\n") if row.startswith("  ")}
    assert [rows[letter].split()[-1] for letter in "abc"] == ["31", "43", "71"]
    assert len({len(rows[letter]) for letter in "abc"}) == 1  # aligned at the right
    assert [rows[letter].count("█") for letter in "abc"] == [round(n / 71 * 384) // 8 for n in (31, 43, 71)]
    press(present, "t")
    assert "█" not in shown(present)


def test_the_second_vote_is_shown_beside_the_first_then_the_reveal() -> None:
    present = at(opened(), "size")
    typed(present, "3 12 20")
    press(present, "t", "v")
    assert "█" not in shown(present) and "second vote: type its counts" in shown(present)
    assert "vote again" not in shown(present)
    typed(present, "0 30 5")
    assert "first:" not in shown(present)
    press(present, "t")
    assert "35 answers, second vote (first: 3 12 20)" in shown(present)
    assert "v vote again" not in shown(present)
    press(present, "pagedown")
    rows = shown(present).split("\n")
    assert [row for row in rows if row.startswith("✓")] == [next(row for row in rows if "✓ b  6" in row)]
    assert next(row for row in rows if "✓ b" in row).endswith("30") and "(first: 3 12 20)" in shown(present)
    press(present, "v")
    assert "the answer is shown already" in shown(present)


def test_wrong_counts_stay_to_be_corrected() -> None:
    present = at(opened(), "size")
    typed(present, "3 12")
    assert "── 3 counts are wanted, for a to c; these are 2 ──" in shown(present)
    press(present, "pagedown")
    assert present.lesson.asking and "↵ keeps these counts, esc drops them" in shown(present)
    press(present, "space", "7", "enter")
    assert present.votes.of("size") == [(3, 12, 7)]
    press(present, "1", "escape")
    assert present.typed is None and present.votes.of("size") == [(3, 12, 7)]
    press(present, "1", "backspace")
    assert present.typed is None


def test_only_a_question_with_choices_is_voted_on() -> None:
    present = opened()
    for beat in ("intro", "mean", "knob"):
        at(present, beat)
        press(present, "5")
        assert present.typed is None and "counts belong to a question with choices" in shown(present)
        press(present, "t")
        assert "nothing to vote on" in shown(present) and "type counts" not in shown(present)


def test_a_long_choice_leaves_room_for_its_bar() -> None:
    long = "It does not stay where it is now but goes somewhere else, and what is more, not only once but again."
    present = at(opened(changed("In between.", long, ALL)), "settle")
    typed(present, f"1 {MOST} 3")
    press(present, "t")
    rows = shown(present).split("\n")
    assert max(map(len, rows)) <= 80
    assert any(row.startswith("  b") and row.count("█") >= 14 and row.endswith("99,999") for row in rows)
    assert "again." in shown(present)


def test_votes_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "votes"
    path.write_text("size: 3 12 20\n")
    present = at(opened(votes=VotesFile(path, CHOICES)), "size")
    assert "35 answers" in shown(present) and "█" not in shown(present)
    path.write_text("size: 3 12 20\nsize: 0 35\n")
    for _ in range(3):
        present.tick(POLL)
    assert f"{path}:2:1: size: 3 counts are wanted"[:60] in shown(present) and "35 answers" in shown(present)
    path.write_text("size: 3 12 20\nsize: 0 35 0\n")
    for _ in range(3):
        present.tick(POLL)
    press(present, "t")
    assert "35 answers, second vote (first: 3 12 20)" in shown(present) and "wanted" not in shown(present)
