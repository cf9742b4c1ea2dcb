"""Which cache lines an IX run touches, found out afterwards from its tables: who took which packets of which flow when.
Invariant: nothing here is asked while a run goes on, so watched, unwatched and in bulk the counts are the same."""
