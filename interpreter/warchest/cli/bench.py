"""Measure how many games a second are played by policy C.

Policy C takes the preferred act of the game if it is on offer, else any option, each as likely as the others; a
game is given up at the cap. Each run plays the same games, with armies drawn anew for each; time is the time of the
processor. What is reported is the median of the runs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any
