"""Releases and uploads through Django's storages."""

import stat

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages


@pytest.mark.parametrize(("alias", "setting"), [("releases", "RELEASES"), ("uploads", "UPLOADS")])
def test_a_storage_is_the_folder_of_its_setting_and_its_owners_alone(
    settings, tmp_path, alias, setting
):
    setattr(settings, setting, tmp_path / "files")

    storages[alias].save("everyday/1/gold.json", ContentFile(b"[]"))

    file = tmp_path / "files" / "everyday" / "1" / "gold.json"
    assert file.read_bytes() == b"[]"
    assert storages[alias].listdir("everyday/1") == ([], ["gold.json"])
    made = [file, *list(file.parents)[:3]]
    assert [stat.S_IMODE(each.stat().st_mode) for each in made] == [0o600, 0o700, 0o700, 0o700]
