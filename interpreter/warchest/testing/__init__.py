"""The property-testing kit: random positions, laws, comparisons and mutants of the cards of any game."""
