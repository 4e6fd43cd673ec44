"""What players type, against what it means: understood, asked, or taken amiss, and at what cost."""
