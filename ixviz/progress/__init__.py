"""A learner's progress: which answers count, and where each lesson was left, one file a lesson in the state folder.

Invariant: what is in a file was reached; a kill at any moment leaves the file of before or of after, never a part.
"""

from ixviz.progress.record import Answer, Head, Record, merge
from ixviz.progress.store import Store, heads, state_folder

__all__ = ["Answer", "Head", "Record", "Store", "heads", "merge", "state_folder"]
