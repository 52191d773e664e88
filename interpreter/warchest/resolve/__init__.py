"""From sentences to rules: words are looked up, types compared, scopes closed."""
