"""The screen: one Textual app that shows the picture a system hands over, and turns keys into steps.

Invariant: no system is named here, and nothing after what may be read is ever drawn.
"""
