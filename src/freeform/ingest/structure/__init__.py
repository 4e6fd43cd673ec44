"""From pages to chapters, sections and segments."""
