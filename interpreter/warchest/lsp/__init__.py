"""The language server for editors: the answers to its requests, as plain data, and the transport of messages."""
