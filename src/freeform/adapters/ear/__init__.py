"""The learned ear, and whether a sentence touches a topic: one small encoder with three heads."""
