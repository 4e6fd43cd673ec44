"""The offline answers to what AI players are asked: talk, directives, deeds, memories."""
