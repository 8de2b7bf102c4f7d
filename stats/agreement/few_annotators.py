"""From how many annotators on agreement generalises to others. Without numpy: pages read it."""

LEAST_PEOPLE = 5
TOO_FEW = f"fewer than {LEAST_PEOPLE} annotators: so few say little about other people"
