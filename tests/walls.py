"""The walls between the rooms of ixviz, as a contract for import-linter (see pyproject.toml).

Invariant: whoever imports across a wall is named, with the line. Written as a list of what is allowed, because a list
of what is forbidden forgets each new room, and because import-linter's own contracts refuse rooms not built yet.
"""

from __future__ import annotations

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


def _table(lines: list[str]) -> dict[str, set[str]]:
    """`["a: b c"]` → `{"a": {"b", "c"}}`."""
    return {name.strip(): set(rest.split()) for name, _, rest in (line.partition(":") for line in lines)}


def violations(
    graph: ImportGraph, root: str, rooms: dict[str, set[str]], packages: dict[str, set[str]], pictures: set[str]
) -> list[tuple[str, str, str]]:
    """Every import that no list allows, as (importer, imported, reason), sorted."""
    found = []
    for importer in sorted(graph.modules):
        if importer.split(".")[0] != root:
            continue
        path = importer.split(".")[1:]
        room = path[0] if path else ""
        if room and room not in rooms:
            found.append((importer, "", f"the room {room} is not in the list of rooms"))
            continue
        is_picture = room == "system" and "picture" in path[1:3]  # of one system, or what their pictures share
        allowed = rooms.get(room, set()) | (pictures if is_picture else set())
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            there = imported.split(".")
            if there[0] != root:
                users = packages.get(there[0])
                if users is not None and room not in users:
                    found.append((importer, imported, f"{there[0]} is for {', '.join(sorted(users))} only"))
            elif len(there) == 1:
                continue  # the package itself: its version
            elif there[1] != room and there[1] not in allowed:
                found.append((importer, imported, f"{room or root} may import {', '.join(sorted(allowed)) or 'none'}"))
            elif room == there[1] == "system" and len(path) > 1 and len(there) > 2 and path[1] != there[2]:
                systems = {m.split(".")[2] for m in graph.modules if m.startswith(f"{root}.system.")} - {"picture"}
                if {path[1], there[2]} <= {s for s in systems if graph.find_children(f"{root}.system.{s}")}:
                    found.append((importer, imported, "one system may not import another"))
    return found


class RoomsContract(Contract):
    """Options: `rooms`, `packages`, `pictures`; each a list of lines, explained where they are set."""

    type_name = "rooms"
    rooms = fields.ListField(subfield=fields.StringField())
    packages = fields.ListField(subfield=fields.StringField())
    pictures = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        root = self.session_options["root_packages"][0]
        tables: list[Any] = [_table(self.rooms), _table(self.packages), set(self.pictures)]
        found = violations(graph, root, *tables)
        return ContractCheck(kept=not found, metadata={"found": [(*f, _line(graph, f[0], f[1])) for f in found]})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported, reason, line in check.metadata["found"]:
            place = f"{importer} -> {imported} (l. {line})" if imported else importer
            output.print_error(f"{place}: {reason}")


def _line(graph: ImportGraph, importer: str, imported: str) -> int:
    """The line of the first such import; 0 where there is none to show."""
    details = graph.get_import_details(importer=importer, imported=imported) if imported else []
    return int(details[0]["line_number"]) if details else 0
