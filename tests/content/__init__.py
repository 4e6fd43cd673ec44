"""Tests of the bundled content."""
