"""New documents: first cards, packs and games to change, from templates or from the declarations of a game."""
