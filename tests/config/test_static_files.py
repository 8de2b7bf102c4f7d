"""What collectstatic makes of scripts that import one another."""

import json
import re
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from django.test import override_settings

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
