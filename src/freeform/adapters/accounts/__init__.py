"""What accounts need from outside: argon2 for passwords, OpenID Connect for those who have a
provider."""
