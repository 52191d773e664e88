"""Testing of rules: properties, coverage and faults, for designers and programmers."""
