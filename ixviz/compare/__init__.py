"""The comparison of systems on the same packets, without a screen.
Invariant: it moves no machine and writes no slot; it reads two or three recorded runs, each by its picture."""
