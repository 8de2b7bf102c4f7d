"""What collectstatic makes of scripts that import one another."""

import json
import re
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from django.core.management import call_command
from django.test import override_settings

from config import static_files
from config.script_bundles import BundleError
from config.static_files import HashedStaticFiles


def collect(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """The names by content, of files that were collected into the folder."""
    found, source = {}, InMemoryStorage()
    for name, text in files.items():
        source.save(name, ContentFile(text.encode()))
        found[name] = (source, name)
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
    with override_settings(STATIC_ROOT=folder, DEBUG=False):
        storage = HashedStaticFiles(location=folder)
        for _, _, processed in storage.post_process(found):
            if isinstance(processed, Exception):
                raise processed
    names: dict[str, str] = json.loads((folder / "staticfiles.json").read_text())["paths"]
    return names


def test_a_chain_of_imports_may_be_as_long_as_it_is(tmp_path):
    chain = {f"js/s{n}.js": f'import "./s{n + 1}.js";\n' for n in range(30)} | {
        "js/s30.js": "x();\n"
    }

    names = collect(tmp_path, chain)

    for n in range(30):
        text = (tmp_path / names[f"js/s{n}.js"]).read_text()
        assert re.findall(r'import"\./(.+)"', text) == [Path(names[f"js/s{n + 1}.js"]).name]


def test_the_script_of_the_desk_is_collected_with_all_that_it_imports(tmp_path):
    files = {
        "js/desk/main.js": 'import { x } from "./x.js";\nx();\n',
        "js/desk/x.js": 'export function x() {\n  console.log("x");\n}\n',
    }

    first = collect(tmp_path / "1", files)["js/desk/main.js"]
    files["js/desk/x.js"] = files["js/desk/x.js"].replace('"x"', '"y"')
    second = collect(tmp_path / "2", files)["js/desk/main.js"]

    text = (tmp_path / "1" / first).read_text()
    assert "import" not in text
    assert 'console.log("x");' in text
    assert first != second


def test_a_script_of_the_desk_that_imports_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(BundleError, match=r"js/desk/x\.js, which is not there"):
        collect(tmp_path, {"js/desk/main.js": 'import "./x.js";\n'})


@pytest.fixture
def collected(tmp_path, settings, monkeypatch):
    """Collects some files and returns the number of times that collectstatic ran so far, and what is there."""
    source, root = tmp_path / "source", tmp_path / "static"
    source.mkdir()
    (source / "icon.svg").write_text("<svg/>")
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], root
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "config.static_files.HashedStaticFiles"}
    }
    runs = []

    def run(*args, **options):
        runs.append(args)
        call_command(*args, **options)

    monkeypatch.setattr(static_files, "call_command", run)

    def collected():
        static_files.collect()
        names = json.loads((root / "staticfiles.json").read_text())["paths"]
        return len(runs), (root / names["icon.svg"]).read_text()

    return collected


def test_files_that_were_collected_are_not_collected_again(collected):
    assert [collected(), collected()] == [(1, "<svg/>")] * 2


def test_files_are_collected_again_where_one_has_changed(collected, tmp_path):
    collected()
    (tmp_path / "source" / "icon.svg").write_text("<new/>")

    assert collected() == (2, "<new/>")


@pytest.mark.parametrize("name", ["icon.svg", "staticfiles.json"])
def test_files_are_collected_again_where_one_of_them_is_gone_or_cut_short(
    collected, tmp_path, name
):
    collected()
    (tmp_path / "static" / name).unlink()

    assert collected()[0] == 2

    (tmp_path / "static" / name).write_text("")

    assert collected() == (3, "<svg/>")


def test_files_are_collected_again_by_another_version_of_what_collects_them(collected, monkeypatch):
    collected()
    monkeypatch.setattr(static_files, "version", lambda package: "99.0")

    assert collected() == (2, "<svg/>")


def test_files_whose_collection_was_interrupted_are_collected_again(
    collected, monkeypatch, tmp_path
):
    collected()
    (tmp_path / "source" / "icon.svg").write_text("<new/>")
    with monkeypatch.context() as patch:
        patch.setattr(static_files, "call_command", interrupted)
        with pytest.raises(KeyboardInterrupt):
            static_files.collect()
    (tmp_path / "source" / "icon.svg").write_text("<svg/>")

    assert collected() == (2, "<svg/>")


def interrupted(*args, **options):
    raise KeyboardInterrupt
