"""The reference machine: it carries out code, and is what the code means."""
