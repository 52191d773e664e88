"""The command line: `warchest COMMAND`. Each command is a module, which is imported when it is needed."""
