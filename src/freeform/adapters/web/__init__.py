"""The web: polite fetching, MediaWiki, search engines."""
