"""Files, places in them, and marked YAML: everything that knows how a document is written down."""
