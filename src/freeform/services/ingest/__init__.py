"""Reading books: what is wanted, run, looked over and put right."""
