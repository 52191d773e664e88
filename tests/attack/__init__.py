"""A lasting attack: cards, positions, replays and scripts are mutated, and the results are judged.

`python -m attack` (`make fuzz`) runs it. Case N of a kind and a seed is the same everywhere.
"""
