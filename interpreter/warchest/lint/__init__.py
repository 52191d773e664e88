"""The linter, which reports faults in documents before they are played."""
