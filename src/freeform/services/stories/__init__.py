"""Stories: made by the forge, kept under the home."""
