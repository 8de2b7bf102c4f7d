class ActionError(Exception):
    """An action is not possible in the current state; the message says why. The API answers 409."""
