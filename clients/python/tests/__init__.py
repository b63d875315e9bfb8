"""The tests of the package, on its sources."""

from . import support as support  # before anything else: it finds the sources, and keeps a user's servers out
