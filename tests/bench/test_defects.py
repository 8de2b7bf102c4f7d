import pytest

from bench.defects import ROOT, all_defects, text_with_defect

DEFECTS = all_defects()


def test_there_are_sixty_each_with_a_name_of_its_own():
    assert len({each.name for each in DEFECTS}) == len(DEFECTS) == 60


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda each: each.name)
def test_a_defect_has_one_place_in_its_file_and_changes_it(defect):
    text = (ROOT / defect.file).read_text(encoding="utf-8")

    assert text.count(defect.old) == 1
    assert text_with_defect(text, defect) != text
    assert defect.breaks.endswith(".")
