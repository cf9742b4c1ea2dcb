"""The way in: `ixviz` and `python -m ixviz`.

Invariant: until the version of Python is known to be good nothing but `sys` is imported, and any Python from 3.6 on
can read this file.
"""

import sys

from ixviz import __version__


def main() -> int:
    """Run the command line of `sys.argv` and return the exit status (0, 1, 2 or 130)."""
    if sys.version_info < (3, 11):
        sys.stderr.write("ixviz: needs Python 3.11 or newer, this is %d.%d\n" % sys.version_info[:2])
        return 2
    if sys.argv[1:] == ["--version"]:  # answered here: loading the command line takes longer than the answer may
        sys.stdout.write("ixviz %s\n" % __version__)
        return 0
    import gc

    gc.disable()  # until the first frame (tui/app.py) or a recording turns it on again: start-up makes no garbage
    from ixviz.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
