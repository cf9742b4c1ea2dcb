"""Recording of what happens most, whole turns at a time: a stretch of a run in which nothing rare happens.
Invariant: it may be left out anywhere; the history is the same to the bit."""
