"""The language server, for every editor: what it can do with plain data, and the transports that carry it."""
