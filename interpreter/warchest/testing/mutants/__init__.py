"""Mutants: sentences of cards with a word or a clause changed, to see whether any ruling notices."""
