"""Comparisons of runs by people's judgements: figures, page and files."""
