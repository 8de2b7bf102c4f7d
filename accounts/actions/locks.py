from accounts.models import Study


def lock_study(study: Study) -> None:
    """Wait for others who name or number something in the study; held until the transaction ends.

    Its key stays free: rows that point at the study can be added meanwhile.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
