"""history: the machine as an array of slots, its past as a list of writes.
Invariant: nothing here knows what is simulated; only slots, events and columns."""

from ixviz.history.component import Component, Field, Slots, View, field
from ixviz.history.cursor import Cursor
from ixviz.history.history import History
from ixviz.history.journal import Journal

__all__ = ["Component", "Cursor", "Field", "History", "Journal", "Slots", "View", "field"]
