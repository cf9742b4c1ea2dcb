"""What the checker looks at, a module for each kind of thing; lesson/check.py is its front.

Invariant: a check yields problems or raises one LessonError; it changes nothing and shows nothing.
"""
