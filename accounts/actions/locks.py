from accounts import permissions
from accounts.models import Study, User
from performance.compiled_queries import Compiled

LOCKED_STUDY = Compiled(
    lambda *, pk: Study.objects.select_for_update(no_key=True).filter(pk=pk).values_list("pk")
)


def lock_study(study: Study) -> None:
    """Lock the study until the transaction ends, before something in it is named or numbered.

    Its key stays unlocked: rows that refer to the study can be added meanwhile.
    """
    LOCKED_STUDY.get(pk=study.pk)


def lock_administrators(*, by: User) -> None:
    """Lock the administrators until the transaction ends, before one of them may lose the right.

    Of two who shut each other out at once the second waits here. Raises NotAllowedError if `by` is no
    administrator any more, or may not sign in, whatever was true when their request began.
    """
    administrators = User.objects.filter(is_superuser=True).order_by("pk")
    active = {each.pk for each in administrators.select_for_update(no_key=True) if each.is_active}
    permissions.require_administrator(by)
    if by.pk not in active:
        raise permissions.NotAllowedError(f"{by.username} is not administrator any more")
