"""Games on paper: cards, tokens, boards and summaries as plain data, which templates of Typst lay out."""
