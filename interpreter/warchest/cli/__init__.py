"""The command line: `warchest <verb>`. Each verb is a module of its own, imported when it is asked for."""
