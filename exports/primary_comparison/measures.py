"""What people compare runs by, and its labels: the keys of `apart` in figures.json. Imports no Django."""

COMPARED = {
    "faithful": "Faithful",
    "appropriate": "Appropriate",
    "both": "F+A",
    "preference": "Preference",
}
