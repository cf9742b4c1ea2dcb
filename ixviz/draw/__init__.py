"""Pure primitives of the picture: values in, lines of styled cells out.

Invariant: no clock, no I/O, no framework; the same values give the same cells.
"""
