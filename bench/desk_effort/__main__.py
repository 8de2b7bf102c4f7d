"""What a judgement asks of hands and eyes: keys, taps and pixels, in a browser, for each scheme.

    python -m bench.desk_effort [--items N] [--tap] [--schemes SCHEME,...]

Judges items with long, hard texts (tests/browser/hard_items.py) at 1280 x 800 by keyboard and at 390 x 844
by touch. The output is the mean of each judgement: presses of a key or taps; pixels of eye travel, from the
end of each text to the label that is chosen for it; and pixels that had to be scrolled until the label was
in sight. `--tap` sets that a tap submits. `--schemes` leaves the others out. Reading itself is not measured. A
written answer is two ticked sentences, copied and confirmed; a made question is kept as it is.
"""

import argparse
import json
import tempfile
from pathlib import Path
from statistics import mean

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from bench.desk_effort.judging import Effort, judge
from bench.load.places import sqlite
from bench.load.serving import serving
from tests.browser import chromium

SIZES: dict[int, ViewportSize] = {
    1280: {"width": 1280, "height": 800},
    390: {"width": 390, "height": 844},
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.desk_effort", description=__doc__)
    parser.add_argument("--items", type=int, default=3, help="judged of each scheme and width")
    parser.add_argument("--tap", action="store_true", help="a tap on an option submits")
    parser.add_argument("--schemes", default="", help="separated by commas; all unless given")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="touchstone-effort-") as folder,
        sqlite(Path(folder)) as place,
    ):
        place.run("manage.py", "migrate", "--verbosity", "0")
        place.run("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        # One more than is judged: the page has to have a next item.
        made = json.loads(
            place.run("-m", "bench.desk_effort.fill", str(len(SIZES) * options.items + 1))
        )
        with serving(place, [], "") as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium.path(), args=("--no-sandbox", "--disable-gpu")
            )
            print("| scheme | width | presses | eye travel, px | scrolled, px |")
            print("| --- | ---: | ---: | ---: | ---: |")
            for scheme, batch in made["batches"].items():
                if options.schemes and scheme not in options.schemes.split(","):
                    continue
                for width in SIZES:
                    address = f"http://127.0.0.1:{server.port}/studies/effort/desk/{batch}/"
                    efforts = _judged(browser, made, address, scheme, width, options)
                    print(_row(scheme, width, efforts), flush=True)
            browser.close()


def _judged(
    browser: Browser,
    made: dict[str, str],
    address: str,
    scheme: str,
    width: int,
    options: argparse.Namespace,
) -> list[Effort]:
    is_phone = width < 1000
    context = browser.new_context(viewport=SIZES[width], has_touch=is_phone, is_mobile=is_phone)
    context.add_cookies([{"name": made["cookie"], "value": made["session"], "url": address}])
    page = context.new_page()
    page.add_init_script(
        f"localStorage['touchstone.desk'] = JSON.stringify({{tap: {str(options.tap).lower()}}})"
    )
    page.goto(address)
    page.wait_for_load_state("networkidle")
    found = [judge(page, scheme, by_touch=is_phone) for _ in range(options.items)]
    context.close()
    return found


def _row(scheme: str, width: int, efforts: list[Effort]) -> str:
    presses, eye, scrolled = (
        mean(getattr(each, name) for each in efforts) for name in ("presses", "eye", "scrolled")
    )
    return f"| {scheme} | {width} | {presses:.1f} | {eye:.0f} | {scrolled:.0f} |"


if __name__ == "__main__":
    main()
