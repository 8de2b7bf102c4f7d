class ActionError(Exception):
    """An action cannot be carried out in the current state; the message says why. The API answers 409."""
