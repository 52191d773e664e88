"""From rules to code: verbs, hooks and texts as numbered instructions, which machines carry out."""
