"""The least number of annotators whose agreement says something about other people. Imports no NumPy: pages quote the reason."""

LEAST_PEOPLE = 5
TOO_FEW = f"fewer than {LEAST_PEOPLE} annotators: so few say little about other people"
