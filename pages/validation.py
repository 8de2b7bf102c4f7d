from django.core.exceptions import NON_FIELD_ERRORS, ValidationError


def validation_message(error: ValidationError) -> str:
    """What is wrong, with the name of the field where the error is one field's."""
    if not hasattr(error, "error_dict"):
        return "; ".join(error.messages)
    return "; ".join(
        " ".join(messages) if field == NON_FIELD_ERRORS else f"{field}: {' '.join(messages)}"
        for field, messages in error.message_dict.items()
    )
