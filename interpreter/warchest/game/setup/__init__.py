"""Beginning games: boards, setups, and what players bring."""
