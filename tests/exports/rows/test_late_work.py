from annotation.models import Judgement
from exports.rows.judgements import judgement_rows
from tests.annotation.desk import judge
from tests.factories import BatchFactory, ItemFactory


def test_late_work_is_paid_and_not_counted(study, bob):
    batch = BatchFactory(pool__dataset__study=study)
    ItemFactory(batch=batch)
    judged = judge(batch, bob)
    Judgement.objects.filter(pk=judged.pk).update(is_surplus=True)

    (row,) = judgement_rows([batch])

    assert (row.surplus, row.paid, row.counted) == (True, True, False)
