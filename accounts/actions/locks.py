from accounts.models import Study


def lock_study(study: Study) -> None:
    """Lock the study until the transaction ends, before something in it is named or numbered.

    Its key stays unlocked: rows that refer to the study can be added meanwhile.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
