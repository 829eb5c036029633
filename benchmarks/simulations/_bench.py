"""Shared functions of the simulations: tables, command line."""

import sys
from pathlib import Path

# A script finds the modules of its own folder only.
sys.path.append(str(Path(__file__).parents[1]))

from _report import Report, command_line

__all__ = ["Report", "command_line"]
