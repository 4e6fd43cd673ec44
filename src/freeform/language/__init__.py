"""Words, their forms, sentences and tables of words: what every part knows of language."""
