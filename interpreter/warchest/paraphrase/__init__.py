"""From rules back to sentences of the language, with every reference spelt out."""
