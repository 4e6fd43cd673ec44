"""What AI players remember: true facts kept apart from what each player believes of them."""
