"""ixviz: a simulated dataplane that runs slowly enough to be understood.

Invariant: importing this package imports nothing else, and any Python from 3.6 on can read this file.
"""

__version__ = "0.1.0"
