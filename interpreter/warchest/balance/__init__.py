"""Strength and balance: how strong cards, seats and bots are, by games between bots, and numbers that cards could have."""
