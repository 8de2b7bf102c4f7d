class ComparisonError(Exception):
    """There is nothing to write; the message says why and what to do."""
