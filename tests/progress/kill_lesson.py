"""By hand: the real program in a terminal, random keys, SIGKILL at a random moment; 50 times on one state folder.

`python tests/progress/kill_lesson.py [KILLS] [SEED] [LESSON]` (LESSON: a folder, else lessons/02-batching) prints a
line a kill and ends with 1 if a file was torn, went further than the screen and the keys allow, or lacked what the
screen had shown.
"""

import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import pexpect
import pyte

from ixviz.lesson import load_lesson

TOP = Path(__file__).parents[2]
KEYS = [*"abcdes123456789", *["\r"] * 14, "\x1b[5~", "\x1b[6~", "\x1b[C", "\x1b[D", "h", "\t", "\x7f"]


class Visit:
    """One run of the program until it is killed. `beat` and `answered`: the most the screen has shown."""

    def __init__(self, lesson: Path, state: Path) -> None:
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.Stream(self.screen)
        self.beat, self.answered, self.enters = 0, 0, 0
        self.review = self.ended = False
        self.child = pexpect.spawn(
            sys.executable, ["-m", "ixviz", str(lesson)], dimensions=(24, 80), encoding="utf-8", timeout=30, cwd=TOP,
            env={**os.environ, "TERM": "xterm-256color", "IXVIZ_STATE": str(state)},
        )  # fmt: skip

    def read(self, seconds: float) -> bool:
        """Take in what the program writes; False when it has ended."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                text = self.child.read_nonblocking(65536, timeout=left)
            except pexpect.TIMEOUT:
                return True
            except pexpect.EOF:
                return False
            self.stream.feed(text.replace("\x1b[<u", "").replace("\x1b[>1u", ""))
            top = self.screen.display[0]
            if (at := re.search(r" (\d+)/\d+ · ", top)) and int(at[1]) > self.beat:
                self.beat, self.enters = int(at[1]), 0
            if "Once more" in top or "the end" in top:
                self.review = True
            if score := re.search(r"right so far: \d+ of (\d+)", top):
                self.answered = max(self.answered, int(score[1]))
        return True

    def keys(self, chance: random.Random, seconds: float) -> None:
        """Random keys for a while, each as soon as the last."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            key = chance.choice(KEYS)
            self.enters += key in ("\r", "\x1b[6~")
            self.child.send(key)
            if not self.read(chance.uniform(0.005, 0.08)):
                self.ended = True
                return

    def kill(self, chance: random.Random) -> None:
        """Mostly while something is written: right after a key that answers or goes on."""
        if not self.ended:
            self.child.send(chance.choice("abc"))
            self.child.send("\r")
            self.enters += 1
            time.sleep(chance.uniform(0, 0.04))
        self.child.kill(9)
        while self.read(0.2):
            pass
        self.child.close(force=True)


def main(kills: str = "50", seed: str = "1", folder: str = str(TOP / "lessons" / "02-batching")) -> int:
    chance = random.Random(int(seed))
    bad, torn_temporaries = 0, 0
    with tempfile.TemporaryDirectory() as name:
        lesson = Path(shutil.copytree(folder, Path(name) / "lesson"))
        file = Path(name) / "state" / "progress" / f"{load_lesson(lesson).id}.json"
        before: dict[str, dict] = {}
        for kill in range(1, int(kills) + 1):
            if kill % 6 == 0 and file.exists():
                file.unlink()
                before = {}
            visit = Visit(lesson, Path(name) / "state")
            end = time.monotonic() + 30
            while not visit.beat and not visit.review and time.monotonic() < end and visit.read(0.1):
                pass
            visit.keys(chance, chance.uniform(0, chance.choice((1, 6, 20))))  # some beats simulate for seconds
            visit.kill(chance)
            torn_temporaries += len(list(file.parent.glob(".*.tmp")))
            faults = [f"ended by itself: {' '.join(' '.join(visit.screen.display).split())}"] if visit.ended else []
            try:
                data = json.loads(file.read_text())
            except (OSError, ValueError) as error:
                print(f"{kill:3}  TORN: {error}")
                bad += 1
                continue
            ids = [beat["id"] for beat in data["order"]]
            reach = visit.beat + visit.enters  # no beat but by these keys; the screen may be a frame behind the file
            at = ids.index(data["at"]) + 1 if data["at"] else len(ids)
            if not visit.review and at > reach:
                faults.append(f"at {at}, beyond {reach}")
            new = [beat for beat in data["beats"] if beat not in before]
            if not visit.review and any(ids.index(beat) + 1 > reach for beat in new):
                faults.append(f"answers to {new}, beyond {reach}")
            asked = [beat["id"] for beat in data["order"] if beat["fingerprint"]]
            if missing := [beat for beat in asked if ids.index(beat) + 1 < at and beat not in data["beats"]]:
                faults.append(f"passed without an answer: {missing}")
            real = [a for a in data["beats"].values() if a["result"] != "skipped"]
            if len(real) < visit.answered:
                faults.append(f"{len(real)} answers kept, {visit.answered} shown")
            for beat, answer in before.items():
                now, first = data["beats"].get(beat, {}), (answer["result"], answer["said"])
                if first[0] != "skipped" and (now.get("result"), now.get("said")) != first:
                    faults.append(f"{beat} was {answer} and is {now}")
            if data["done"] and len(data["beats"]) < len(asked):
                faults.append("done without all answers")
            before = data["beats"]
            kinds = [answer["result"] for answer in before.values()]
            print(f"{kill:3}  at {data['at'] or 'the end':10} screen {visit.beat:2}  right {kinds.count('right')} "
                  f"wrong {kinds.count('wrong')} skipped {kinds.count('skipped')}{' done' if data['done'] else ''}"
                  f"  {'; '.join(faults) or 'ok'}", flush=True)  # fmt: skip
            bad += bool(faults)
    print(f"{kills} kills, {bad} bad; {torn_temporaries} were in the middle of a write")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
