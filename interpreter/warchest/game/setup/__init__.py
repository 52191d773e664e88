"""Beginning games: boards, setups, and the armies of players."""
