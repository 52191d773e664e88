"""A naive reference implementation of War Chest, kept only as a differential-test oracle."""
