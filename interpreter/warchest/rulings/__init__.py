"""Rulings: small cases beside the cards that say how these are to be read, run as tests."""
