"""The commands: run, sweep, schema, progress, and `open` with options.
Invariant: a command checks all its input before it does anything."""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ixviz import __version__
from ixviz.cli import Refused, find, open_target, scenario_of, waiting
from ixviz.cli.check import check
from ixviz.cli.compare import compare
from ixviz.cli.frontier import frontier, frontier_of
from ixviz.cli.handout import handout
from ixviz.cli.names import names
from ixviz.cli.new import new
from ixviz.cli.options import SEED, SETS, UNTIL, changes
from ixviz.cli.progress import progress
from ixviz.scenario.simulate import expected_packets

if TYPE_CHECKING:
    from ixviz.scenario.load import Scenario


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

    \b
    ixviz                        a menu of lessons and scenarios
    ixviz lessons/02-batching    a lesson
    ixviz ix-echo                a scenario, by name or path
    ixviz FILE.pcap              a capture through an IX machine

    With these also --plain (as text, for screen readers and pipes), --ascii, --light, --set KEY=VALUE.
    With a lesson --beat ID; for a class --present, --votes FILE, and --notes in a second terminal.
    For a teacher --variant NAME (other numbers for each student) and --grade FOLDER [--key] (answers as CSV).
    """


@words.command("open", hidden=True)
@click.argument("target", required=False)
@SETS
@click.option("--plain", is_flag=True, help="As text on stdin and stdout: screen readers, pipes, graders.")
@click.option("--ascii", "ascii_", is_flag=True, help="No sign beyond ASCII.")
@click.option("--light", is_flag=True, help="Dark signs on a light ground.")
@click.option("--beat", metavar="ID", help="Begin a lesson at this beat.")
@click.option("--present", is_flag=True, help="A lesson for a class: large, with a clock, a clicker and votes.")
@click.option("--votes", metavar="FILE", help="With --present: counts of votes, read again when they change.")
@click.option("--notes", is_flag=True, help="The lecturer's notes, following --present in another terminal.")
@click.option("--variant", metavar="NAME", help="A lesson with the numbers that it draws for this name.")
@click.option("--grade", metavar="FILE_OR_FOLDER", help="Judge files of answers to a lesson: CSV, a row for each.")
@click.option("--key", is_flag=True, help="With --grade: the right answers, too.")
def open_(target: str | None, sets: tuple[str, ...], plain: bool, ascii_: bool, light: bool, beat: str | None,
          present: bool, votes: str | None, notes: bool, variant: str | None, grade: str | None,
          key: bool) -> int:  # fmt: skip
    """Open a lesson, a scenario or a capture; without one, a menu."""
    from ixviz.cli import grade as grades
    from ixviz.cli.present import refuse

    refuse(target, sets, plain, present, notes, beat, votes)
    grades.refuse(target, grade, key, variant, bool(plain or present or notes or beat or sets), present or notes)
    if target is not None and grade is not None:
        return grades.grade(target, grade, key, variant)
    return open_target(target, sets, plain, ascii_, light, beat=beat, present=present, notes=notes, votes=votes,
                       variant=variant)  # fmt: skip


MOST_PACKETS = 100_000_000  # some minutes, and 40 bytes of memory each
MOST_RECORDED = 5_000_000  # some 20 million events of 60 bytes


def _scenario(target: str, sets: Sequence[str], need_end: bool = True) -> tuple[Path, str, Scenario]:
    kind, path = find(target)
    if kind == "lesson":
        raise Refused(f"{target} is a lesson; this wants a scenario or a capture")
    scenario = scenario_of(path, kind, sets)
    if need_end and scenario.endless:
        raise Refused(f"{scenario.name}: run.until: this workload never ends; give it an end, such as --until 100ms")
    packets = expected_packets(scenario)
    if need_end and packets > MOST_PACKETS:
        raise Refused(f"{scenario.name}: run.until: about {packets:,.0f} packets until then, at most {MOST_PACKETS:,}")
    return path, kind, scenario


def _instead(scenario: Scenario) -> str:
    """What else can be recorded of a run that is too long for every event."""
    controlled = getattr(scenario.system, "control", None) is not None
    return "; run.watch=decisions records its control plane alone" if controlled else ""


@words.command()
@click.argument("scenario")
@SETS
@SEED
@UNTIL
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option("--record", is_flag=True, help="Record every event, with run.watch=decisions those of the control plane; "
                                             "adds their number and a hash of the last state.")
@click.option("--frontier", "search", is_flag=True, help="Of a control plane: find the bound first, if it is not kept.")
def run(scenario: str, sets: tuple[str, ...], seed: str | None, until: str | None, as_json: bool, record: bool,
        search: bool) -> int:  # fmt: skip
    """Run a scenario or a capture headless and print its figures."""
    from ixviz.measure.metrics import metrics
    from ixviz.measure.report import report
    from ixviz.scenario.messages import escape
    from ixviz.scenario.simulate import simulate

    _, _, checked = _scenario(scenario, changes(sets, seed, until))
    journal = None
    if record and not checked.run.decisions_only and expected_packets(checked) > MOST_RECORDED:
        raise Refused(f"--record keeps every event, of at most {MOST_RECORDED:,} packets; "
                      f"this run has about {expected_packets(checked):,.0f}{_instead(checked)}")  # fmt: skip
    if record:
        from ixviz.history import Journal

        journal = Journal()
    sim = simulate(checked, journal)
    for warning in sim.facts.get("warnings", ()):
        click.echo(f"ixviz: {escape(checked.name)}: {escape(warning)}", err=True)
    bounds = frontier_of(checked, sim, search=search)
    waiting.run(sim, checked)
    figures = metrics(sim, checked.name, checked.run.seed, bounds)
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
        wanted = sweeps.parse_slo(slo) if slo is not None else None
    except ValueError as error:
        raise Refused(str(error)) from None
    keys = [key for key, _ in asked] + [text.partition("=")[0].strip() for text in sets]
    for key in keys:
        if keys.count(key) > 1 and key in dict(asked):
            raise Refused(f"{key} is given twice: once is enough, with all its values in one --vary")
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
    from ixviz.measure.pool import pool
    from ixviz.measure.report import sweep_head, sweep_row

    if not as_json:
        click.echo(sweep_head([k for k, _ in asked], wanted is not None))
    with pool(workers) as executor:
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


words.add_command(check)
words.add_command(compare)
words.add_command(frontier)
words.add_command(progress)
words.add_command(handout)
words.add_command(names)
words.add_command(new)


def run_words(args: list[str]) -> int:
    """Run click over the words of the command line."""
    gc.enable()
    try:
        status: Any = words.main(args=args, standalone_mode=False, prog_name="ixviz")
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.Abort:
        return 130
    except click.ClickException as error:
        click.echo(f"ixviz: {error.format_message()}", err=True)
        return 2
