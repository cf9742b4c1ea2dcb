"""system: one folder for each operating system, all of the same shape, and what they share.
Invariant: no system imports another; picture.py alone knows how a system is drawn."""
