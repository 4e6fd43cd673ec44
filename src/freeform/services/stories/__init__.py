"""Stories as things one owns, and the page that shows them."""
