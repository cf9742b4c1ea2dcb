"""The command `new`: a lesson, or a scenario, to be changed into one's own.

Invariant: no file is ever overwritten.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from ixviz.cli import Refused


@click.command()
@click.argument("what", type=click.Choice(["lesson", "scenario"]))
@click.argument("name")
@click.option("-o", "--output", "folder", metavar="FOLDER", default=".", help="Where to put it; here without it.")
def new(what: str, name: str, folder: str) -> int:
    """Begin a lesson (NAME/lesson.yaml) or a scenario (NAME.yaml) of your own.

    It is true as it stands and says in comments what to change. Its JSON Schema is put beside it, for the editor.
    """
    from ixviz.lesson import skeleton
    from ixviz.scenario.messages import cut, escape

    if not skeleton.is_id(name):
        raise Refused(f'"{cut(name)}" cannot be a name: small letters, digits and single hyphens, such as my-{what}')
    if what == "lesson" and name in _taken():
        raise Refused(f"there is a lesson {name} already, with whose progress this one's would be mixed; another name")
    top = Path(folder)
    if not _is_folder(top):
        raise Refused(f"{escape(folder)}: no such folder")
    if what == "lesson":
        from ixviz.lesson.load import FILE
        from ixviz.lesson.load import json_schema as schema

        path, text = top / name / FILE, skeleton.lesson(name)
    else:
        from ixviz.scenario.load import json_schema as schema

        path, text = top / f"{name}.yaml", skeleton.scenario(name)
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        beside = path.with_name(f"{what}.schema.json")
        if not beside.exists():
            with beside.open("x", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(schema(), indent=2) + "\n")
    except FileExistsError as error:
        raise Refused(f"{escape(str(error.filename))} is there already; it was left as it is") from None
    except OSError as error:
        raise Refused(f"{escape(str(path))}: {error.strerror or error}") from None
    click.echo(escape(str(path)))
    target = escape(str(path))  # as a path: a name alone may mean a command or a bundled one
    click.echo(f"ixviz: open it with: ixviz {target}", err=True)
    return 0


def _taken() -> set[str]:
    """The ids of the bundled lessons."""
    from ixviz.lesson.load import list_lessons, load_lesson

    return {load_lesson(name).id for name in list_lessons()}


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
