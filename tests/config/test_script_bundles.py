"""What is joined into one file, and what is refused because a bundle would do something else than its parts."""

from pathlib import Path

import pytest
from django.conf import settings

from config.script_bundles import BundleError, bundle
from config.static_files import BUNDLES


def joined(**modules: str) -> str:
    return bundle("main.js", lambda path: modules[path.removesuffix(".js")])


def test_what_is_imported_stands_before_what_imports_it_and_once():
    text = joined(
        main='import { b } from "./b.js";\nimport { c } from "./c.js";\nb(c);\n',
        b='import * as c from "./c.js";\nexport function b() {}\n',
        c="// kept\nexport const c = 1;\n",
    )

    assert text.count("const c = 1;") == 1
    assert text.index("const $c =") < text.index("const $b =") < text.index("b(c);")
    assert "import" not in text
    assert "export" not in text
    assert "kept" not in text


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ({"main": 'import b from "./b.js";\n', "b": ""}, "no bundle can have import b"),
        ({"main": "export default 1;\n"}, "no bundle can have export default 1;"),
        ({"main": 'if (x) import("./b.js");\n'}, "no bundle can have if"),
        ({"main": "const a = import.meta.url;\n"}, "no bundle can have const a"),
        ({"main": "const a = `\n// a\n`;\n"}, "a template of several lines"),
        ({"main": 'import { x } from "./b.js";\n', "b": ""}, "b.js exports no constant x"),
        (
            {"main": 'import { x } from "./b.js";\n', "b": "export let x = 1;\n"},
            "b.js exports no constant x",
        ),
        (
            {"main": 'import "./b.js";\n', "b": 'import "./main.js";\n'},
            "main.js imports itself, through b.js",
        ),
    ],
)
def test_what_would_not_be_the_same_in_one_file_is_refused(modules, message):
    with pytest.raises(BundleError, match=message):
        joined(**modules)


@pytest.mark.parametrize("name", BUNDLES)
def test_each_bundle_of_this_program_can_be_made(name):
    folder = Path(settings.BASE_DIR, "static")

    text = bundle(name, lambda path: (folder / path).read_text(encoding="utf-8"))

    assert len(text) > len((folder / name).read_text(encoding="utf-8"))
