"""The reference machine: it carries out code, and defines its meaning."""
