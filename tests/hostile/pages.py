"""What is wrong with a page on which something hostile could run, or was taken for more than text."""

import re

from tests.crawling import Reply, Tag
from tests.hostile.strings import TURNED

# None of ours are on a page; what was smuggled in would be one of them.
FOREIGN = {"img", "iframe", "object", "embed", "base", "math", "video", "audio", "frame", "applet"}
ADDRESSED = {"href", "src", "action", "formaction", "xlink:href", "data", "poster", "srcset"}
RUNS = re.compile(r"(javascript|vbscript|data):", re.IGNORECASE)
IGNORED_IN_ADDRESSES = re.compile(r"[\x00-\x20]")  # as browsers do


def harms(reply: Reply) -> list[str]:
    page = reply.read
    found = []
    for tag in page.tags:
        if tag.name in FOREIGN:
            found.append(f"there is an element {tag.name}")
        if tag.name == "script" and not tag.attributes.get("src", "").startswith("/static/"):
            found.append("there is a script that is not ours")
        for name, value in tag.attributes.items():
            if name.startswith("on") or name == "style":
                found.append(f"an element {tag.name} has the attribute {name}")
            if name in ADDRESSED and RUNS.match(IGNORED_IN_ADDRESSES.sub("", value)):
                found.append(f"an element {tag.name} leads to {value[:40]}")
    found += [f"{text[:40]} stands in a script" for text, tags in page.texts if _in_script(tags)]
    return [f"{reply}: {each}" for each in found]


def _in_script(tags: tuple[Tag, ...]) -> bool:
    return bool(tags) and tags[-1].name in ("script", "style")


# Elements that keep the order of their own text to themselves: so says static/css/base.css.
APART = {"bdi", "a", "button", "label", "strong", "span", "q", "code", "summary"}
GOES_ON = re.compile(rf"{TURNED} mark\w++(?:[@#]\w++)?+\W*\w")  # our words stand behind a name
PLAIN = {"title", "option", "textarea"}  # nothing stands beside their text
INLINE = APART | {"em", "small", "kbd", "time", "br", "input", "abbr", "s"}


def turned(reply: Reply) -> list[str]:
    """Texts that turn the line round for what stands beside them, because nothing keeps them apart."""
    beside: dict[Tag, int] = {}
    texts = reply.read.texts
    for _, tags in texts:
        beside[_block(tags)] = beside.get(_block(tags), 0) + 1
    return [
        f"{reply}: {text[-60:]!r} in {' '.join(tag.name for tag in tags[-3:])}"
        for text, tags in texts
        if TURNED in text
        and tags[-1].name not in PLAIN
        and not any("dir" in tag.attributes for tag in tags)
        and (
            GOES_ON.search(text)
            or (beside[_block(tags)] > 1 and not any(tag.name in APART for tag in tags))
        )
    ]


def _block(tags: tuple[Tag, ...]) -> Tag:
    """The element whose lines a text stands on."""
    return next(tag for tag in reversed(tags) if tag.name not in INLINE)
