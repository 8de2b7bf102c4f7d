from django.core.exceptions import NON_FIELD_ERRORS, ValidationError


def validation_message(error: ValidationError) -> str:
    """Return the messages of the error, each with its field if it has one."""
    if not hasattr(error, "error_dict"):
        return "; ".join(error.messages)
    return "; ".join(
        " ".join(messages) if field == NON_FIELD_ERRORS else f"{field}: {' '.join(messages)}"
        for field, messages in error.message_dict.items()
    )
