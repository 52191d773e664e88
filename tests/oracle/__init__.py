"""A naive reference implementation of base War Chest, kept only as a differential-test oracle."""
