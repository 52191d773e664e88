"""The linter: what a designer is told about documents before anybody plays them."""
