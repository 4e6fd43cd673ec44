"""Dice that can be thrown again: the same seed and path give the same numbers on every machine."""

from freeform.core.chance import Chance
from freeform.core.dice import throw
from freeform.core.errors import UserError

evening = Chance(2087, "the neon dragon")

print("Four throws, each from its own stream:")
for expr in ("2d6+1", "4d6kh3", "1d20+5", "8d10"):
    print(f"  {throw(expr, evening.at(expr)).text}")

again = Chance(2087, "the neon dragon")
same = throw("2d6+1", again.at("2d6+1")) == throw("2d6+1", evening.at("2d6+1"))
print(f"\nThe same seed, the same throw? {'Yes.' if same else 'No!'}")
print(f"Another seed: {throw('2d6+1', Chance(2088).at('2d6+1')).text}")

try:
    throw("2d6 + luck", evening)
except UserError as wrong:
    print(f"\nWhat does not read is answered in one sentence:\n  {wrong}")

print("\nTwo dice, a thousand times:")
dice = Chance(1, "curve")
sums = [sum(dice.dice(2, 6)) for _ in range(1000)]
for total in range(2, 13):
    print(f"  {total:>2} {'#' * (sums.count(total) // 5)}")
