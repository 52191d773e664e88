"""The linter, which tells a designer about faults in documents before anybody plays them."""
