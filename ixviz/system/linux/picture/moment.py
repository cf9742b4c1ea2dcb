"""A moment of a recorded Linux run: each packet leaves by itself, and every step of its way is an event.
Invariant: nothing that happened after the cursor's event can be read through a Moment."""

from __future__ import annotations

from ixviz.system.picture.moments import JourneyMoment as Moment

__all__ = ["Moment"]
