#!/usr/bin/env bash
# The demonstration: four studies on the demo data, then the pages. `make demo` runs it, in a folder of
# its own that is made anew each time. With --no-serve it ends when the studies are there.
set -euo pipefail
cd "$(dirname "$0")/.."

unset DATABASE_URL BROKER_URL
export TOUCHSTONE_DATA="${TOUCHSTONE_DATA:-var}/demo"
port="${PORT:-8000}"
# Said before anything is made, and not a minute later.
if [ "${1:-}" != --no-serve ]; then
  .venv/bin/python manage.py serve --port "$port" --check
fi
rm -rf "$TOUCHSTONE_DATA"
mkdir -p "$TOUCHSTONE_DATA"

.venv/bin/python -m demo.build

cat <<END

== Done ==
The database is in $TOUCHSTONE_DATA; the next make demo makes it anew.
The first release of the study "rehearsed" is $TOUCHSTONE_DATA/release: gold.json is the truth with the accepted
answers added. Its verdicts come from SIMULATED annotators, who are right or wrong at random: use them for
nothing. To score a run:
  python3 $TOUCHSTONE_DATA/release/evaluate.py $TOUCHSTONE_DATA/release/gold.json demo/runs/birch.json
The figures of the study "compared" rest on SIMULATED annotators, too, and so do those of "written": its answers are
copied sentences, in $TOUCHSTONE_DATA/written. How its made questions were curated, in
$TOUCHSTONE_DATA/curated, was written with them.
END
[ "${1:-}" != --no-serve ] || exit 0

cat <<END

Open http://127.0.0.1:$port/ and sign in; the password of everybody is try-touchstone
  alice   requester: all studies, from the data to the release and to the comparison of systems
  carol   adjudicator: disputes, once a batch is settled
  bob     annotator: items to judge, answers to rate or to write, and questions to curate
  dora    annotator: a second opinion on the same items
To be two people at once, sign in as the second in a private window.
END
exec .venv/bin/python manage.py serve --port "$port"
