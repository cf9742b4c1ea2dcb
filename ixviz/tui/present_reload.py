"""A lecture, and the notes that follow it, go on with the lesson as it was saved meanwhile.

Invariant: the beat, what was revealed, the votes and the clock stay; a file that cannot be read changes a message only.
"""

from __future__ import annotations

from .lecture import edition
from .notes_state import Notes
from .present_state import Present
from .state import State


def take(present: Present, new: State) -> None:
    """Go on with a state that Reload has made, or say why there is none: then it is the old one, with messages."""
    if new is present.state:
        broken, new.broken = new.broken, ()
        more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
        present.message = f"the file is broken, this is as it was before: {broken[0]}{more}" if broken else ""
        return
    present.state, present._pending, present.message = new, None, new.message
    new.message = ""
    quiet(new)
    present.first = min(present.first, len(present.session.beats) - 1)
    if present.lesson.asking:
        present.revealed.discard(present.session.beat.id)
    present.typed, present.scroll = None, 0


def take_notes(notes: Notes, new: State) -> None:
    """The same for the notes: they are where the presenter is."""
    take(notes.present, new)
    notes.edition = edition(notes.present.session.lesson)
    if notes._last is not None:
        why = notes.why
        notes.heard(notes._last)
        notes.why = why


def quiet(state: State) -> None:
    """A beat that breaks when it is reached ends the program: there is no panel that could say so."""
    state.lesson.watched = False
