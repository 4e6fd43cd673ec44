"""From a PDF page to lines, blocks and tables in reading order."""
