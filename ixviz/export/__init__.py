"""export: what a lesson or a run shows, as files to be printed and read elsewhere; nothing here needs a screen.

Invariant: what is exported of a question that is open depends on nothing after its stop.
"""
