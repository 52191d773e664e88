"""From rules back to sentences: what was understood, in words of the language, with every reference spelt out."""
