"""Words, their forms, sentences, and tables of words: one room for what every part knows of language."""
