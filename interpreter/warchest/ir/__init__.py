"""The rules of a loaded game as typed data: every name is resolved to a number, every scope is closed."""
