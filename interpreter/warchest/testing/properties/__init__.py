"""Properties in the words of the cards: read from documents, and watched while a game is played."""

from warchest.testing.properties.stated_properties import StatedProperty, properties_of
from warchest.testing.properties.watch import Breach, PropertyTally, PropertyWatch

__all__ = ["Breach", "PropertyTally", "PropertyWatch", "StatedProperty", "properties_of"]
