"""Coverage of rules: for each clause of the texts, the facts of it that were seen while something was done."""
