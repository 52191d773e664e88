"""Faults planted in cards, rules and the machine, each of which the kit for testing finds."""
