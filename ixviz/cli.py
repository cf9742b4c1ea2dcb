"""The command line: words in, exit codes out; the only file that knows every room.
Invariant: stdout is data, stderr is narration; 0 fine, 1 a check failed, 2 input or usage is wrong, 130 interrupted."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ixviz import __version__

if TYPE_CHECKING:
    from ixviz.scenario.load import Scenario


class Refused(Exception):
    """Input or usage is wrong; the text goes to stderr, the status is 2."""


class Words(click.Group):
    """A first word that is no command is something to open: a lesson, a scenario, a capture."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `open` before a first word that is no command."""
        at = next((i for i, a in enumerate(args) if not a.startswith("-") or a == "-"), None)
        if (at is not None and args[at] not in self.commands) or (at is None and _opens(args)):
            args = ["open", *args]
        return super().parse_args(ctx, args)


def _opens(args: Sequence[str]) -> bool:
    return not any(a in ("--help", "--version") for a in args)


@click.group(cls=Words, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ixviz", message="%(prog)s %(version)s")
def words() -> None:
    """A simulated machine, slow enough to be understood: step forward and back, predict, ask why.

    ixviz                          a menu of lessons and scenarios\n
    ixviz lessons/02-batching      a lesson\n
    ixviz ix-echo                  a scenario, by name or path\n
    ixviz FILE.pcap                a capture through an IX machine
    """


SETS = click.option("--set", "sets", multiple=True, metavar="KEY=VALUE", help="Change a value: system.batch_bound=1.")


@words.command("open", hidden=True)
@click.argument("target", required=False)
@SETS
@click.option("--plain", is_flag=True, help="As text on stdin and stdout: screen readers, pipes, graders.")
@click.option("--ascii", "ascii_", is_flag=True, help="No sign beyond ASCII.")
@click.option("--light", is_flag=True, help="Dark signs on a light ground.")
def open_(target: str | None, sets: tuple[str, ...], plain: bool, ascii_: bool, light: bool) -> int:
    """Open a lesson, a scenario or a capture; without one, a menu."""
    if not plain:
        _terminal()
    if target is None:
        if plain:
            raise Refused("--plain needs a lesson or a scenario, such as: ixviz lessons/02-batching --plain")
        from ixviz.tui.app import run_app

        return run_app(ascii=ascii_ or _no_utf8(), light=light)
    kind, path = find(target)
    if kind == "lesson":
        if sets:
            raise Refused("--set belongs to scenarios; a lesson brings its own machines")
        from ixviz.lesson.load import load_lesson
        from ixviz.lesson.session import Session

        session = Session(load_lesson(path))
        if plain:
            from ixviz.lesson.plain import run_plain

            return run_plain(session, sys.stdin, sys.stdout, color=False)
        from ixviz.tui.app import run_app

        return run_app(session=session, ascii=ascii_ or _no_utf8(), light=light)
    scenario = scenario_of(path, kind, sets)
    if plain:
        from ixviz.history import Journal
        from ixviz.lesson.plain import scenario_plain
        from ixviz.scenario.simulate import simulate

        return scenario_plain(simulate(scenario, Journal()), sys.stdin, sys.stdout)
    from ixviz.tui.app import run_app

    return run_app(scenario, ascii=ascii_ or _no_utf8(), light=light)


def _terminal() -> None:
    """Refuse to draw where nobody can see it."""
    if os.environ.get("TERM", "") == "dumb":
        raise Refused("this terminal (TERM=dumb) cannot show a screen; add --plain to read it as text")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused("the screen needs a terminal; add --plain for text on stdin and stdout, or use `ixviz run`")


def _no_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"


def find(target: str) -> tuple[str, Path]:
    """What a word means: ("lesson" | "scenario" | "capture", path). Paths first, then bundled names."""
    from ixviz.lesson.load import find_lesson, list_lessons
    from ixviz.scenario.load import bundled, list_bundled
    from ixviz.scenario.messages import escape
    from ixviz.workload.pcapfile import looks_like_capture

    path = Path(target)
    lesson = find_lesson(target)
    if lesson is not None:
        return "lesson", lesson
    if path.is_file():
        if looks_like_capture(path):
            return "capture", path
        if path.suffix in (".yaml", ".yml"):
            return ("lesson" if _is_lesson(path) else "scenario"), path
        return "capture", path  # whatever it is, the reader of captures says why it is none
    if target in list_bundled():
        return "scenario", bundled(target)
    name = path.name.removesuffix(".yaml")
    if path.parent.name == "scenarios" and name in list_bundled() and not path.exists():
        return "scenario", bundled(name)
    import difflib

    known = [*words.commands, *list_bundled(), *(f"lessons/{n}" for n in list_lessons())]
    near = difflib.get_close_matches(target, [k for k in known if k != "open"], 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise Refused(f"{escape(target)}: no such file, lesson or scenario{hint}")


def _is_lesson(path: Path) -> bool:
    """Whether a YAML file is a lesson: it has `beats`. A broken file is told as what its name says."""
    try:
        text = path.read_bytes()[:1_000_000].decode("utf-8", "replace")
    except OSError:
        return False
    return any(line.startswith("beats:") for line in text.splitlines())


def scenario_of(path: Path, kind: str, sets: Sequence[str]) -> Scenario:
    """The scenario of a file or of a capture, with `--set` applied."""
    from ixviz.scenario.load import load
    from ixviz.scenario.simulate import capture_scenario

    return capture_scenario(path, sets) if kind == "capture" else load(path, sets)


def _scenario(target: str, sets: Sequence[str], need_end: bool = True) -> tuple[Path, str, Scenario]:
    kind, path = find(target)
    if kind == "lesson":
        raise Refused(f"{target} is a lesson; this wants a scenario or a capture")
    scenario = scenario_of(path, kind, sets)
    if need_end and scenario.endless:
        raise Refused(f"{scenario.name}: run.until: this workload never ends; give it an end, such as --until 100ms")
    return path, kind, scenario


@words.command()
@click.argument("scenario")
@SETS
@click.option("--seed", type=str, help="The seed of all random streams.")
@click.option("--until", type=str, help="Where to stop, such as 50ms.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--record", is_flag=True, help="Record every event; adds their number and a hash of the last state.")
def run(scenario: str, sets: tuple[str, ...], seed: str | None, until: str | None, as_json: bool, record: bool) -> int:
    """Run a scenario or a capture headless and print its figures."""
    from ixviz.measure.metrics import metrics
    from ixviz.measure.report import report
    from ixviz.scenario.messages import escape
    from ixviz.scenario.simulate import simulate

    given = [*sets, *([f"run.seed={seed}"] if seed else []), *([f"run.until={until}"] if until else [])]
    _, _, checked = _scenario(scenario, given)
    journal = None
    if record:
        from ixviz.history import Journal

        journal = Journal()
    sim = simulate(checked, journal)
    for warning in sim.facts.get("warnings", ()):
        click.echo(f"ixviz: {escape(checked.name)}: {escape(warning)}", err=True)
    if journal is None:
        sim.run()
    else:
        while sim.record(100_000):
            pass
    figures = metrics(sim, checked.name, checked.run.seed)
    if sim.history is not None:
        last = sim.history.cursor(len(sim.history) - 1)
        figures["history"] = {"events": len(sim.history), "hash": f"{last.state_hash():016x}"}
    click.echo(json.dumps(figures, allow_nan=False) if as_json else report(figures, checked, sim.facts))
    return 0


@words.command()
@click.argument("scenario")
@click.option("--vary", multiple=True, required=True, metavar="KEY=A,B,C", help="Run at each of these values.")
@click.option("--slo", help="Find the largest load that holds, such as 'p99_us < 500'.")
@SETS
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line on stdout.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; one a core by default.")
def sweep(scenario: str, vary: tuple[str, ...], slo: str | None, sets: tuple[str, ...], as_json: bool,
          workers: int | None) -> int:  # fmt: skip
    """Run a scenario at many settings."""
    from ixviz.measure import sweep as sweeps
    from ixviz.scenario.load import load

    try:
        asked = [sweeps.parse_vary(v) for v in vary]
        wanted = sweeps.parse_slo(slo) if slo else None
    except ValueError as error:
        raise Refused(str(error)) from None
    path, kind, checked = _scenario(scenario, sets)
    if kind == "capture":
        raise Refused("sweep wants a scenario; write one with `workload: {kind: capture, file: …}`")
    for point in sweeps.points(asked):  # all mistakes before the first run
        load(path, [*sets, *point])
    if wanted:
        try:
            sweeps.load_set(checked, 0.5)
        except ValueError as error:
            raise Refused(str(error)) from None
    from ixviz.measure.report import sweep_head, sweep_row

    if not as_json:
        click.echo(sweep_head([k for k, _ in asked], wanted is not None))
    with sweeps.pool(workers) as executor:
        for point, result in sweeps.sweep(str(path), sets, asked, wanted, executor):
            if as_json:
                click.echo(json.dumps({"set": point, **(result if wanted else {"figures": result})}, allow_nan=False))
            else:
                click.echo(sweep_row(point, result, wanted is not None))
    return 0


@words.command()
@click.argument("what", type=click.Choice(["scenario", "lesson"]))
def schema(what: str) -> int:
    """Print the JSON Schema of scenarios or lessons, for editors."""
    if what == "scenario":
        from ixviz.scenario.load import json_schema
    else:
        from ixviz.lesson.load import json_schema
    click.echo(json.dumps(json_schema(), indent=2))
    return 0


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    try:
        status: Any = words.main(args=None if args is None else list(args), standalone_mode=False, prog_name="ixviz")
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except (KeyboardInterrupt, click.Abort):
        return 130
    except click.ClickException as error:
        click.echo(f"ixviz: {error.format_message()}", err=True)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python's last flush says nothing
        return 1
    except Exception as error:
        if not _told(error):
            raise
        return 2


def _told(error: Exception) -> bool:
    """Say what is wrong with the input, if that is what the error means."""
    from ixviz.scenario.messages import Problems
    from ixviz.workload.pcapfile import CaptureError

    if isinstance(error, Problems | CaptureError | Refused):
        prefix = "" if isinstance(error, Problems) else "ixviz: "
        click.echo(f"{prefix}{error}", err=True)
        return True
    return False
