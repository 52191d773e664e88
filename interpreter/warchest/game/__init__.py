"""Everything that a user of the package holds: games, states, decisions, options, positions."""
