#!/usr/bin/env bash
# The whole way on the demonstration data: from files to an extended data set, people being simulated.
# `make demo` runs it, in a folder of its own that is made anew each time.
set -euo pipefail
cd "$(dirname "$0")/.."

unset DATABASE_URL BROKER_URL
export TOUCHSTONE_DATA="${TOUCHSTONE_DATA:-var}/demo"
rm -rf "$TOUCHSTONE_DATA"
mkdir -p "$TOUCHSTONE_DATA"

step() { printf '\n== %s ==\n' "$1"; }
touchstone() {
  printf '$ manage.py %s\n' "$*"
  .venv/bin/python manage.py "$@"
}

step "A study and its people"
.venv/bin/python manage.py migrate --verbosity 0
touchstone create_user alice
touchstone create_user carol
touchstone create_study demo --title "Everyday knowledge" --requester alice
touchstone add_member --study demo carol --role adjudicator

step "The data set and the systems' runs"
touchstone import_dataset --study demo --name everyday --format scai demo/truth.json \
  --questions demo/questions-original.json --passages demo/passages.tsv
for run in alder birch cedar dogwood; do
  touchstone import_run --study demo --dataset everyday --name "$run" "demo/runs/$run.json"
done
touchstone import_run --study demo --dataset everyday --name echo --kind baseline demo/runs/echo.json

step "Scores, and a pool of likely correct, distinct answers"
touchstone score --study demo --dataset everyday
touchstone draw_pool --study demo --dataset everyday --name candidates \
  --scorer all-MiniLM-L6-v2 --threshold 0.62 --min-candidates 3

step "Are they plausible? A rehearsal with six simulated annotators"
touchstone open_batch --study demo --name plausibility --scheme plausibility --pool candidates \
  --judgements 2 --guideline demo/guideline-plausibility.md
touchstone rehearse --study demo --batch plausibility --annotators 6 --accuracy 0.9 --seed 1
touchstone close_batch --study demo --batch plausibility
touchstone settle --study demo --batch plausibility --rule unanimous

step "One of the disputes is adjudicated"
item=$(.venv/bin/python manage.py disputes --study demo --batch plausibility --json |
  .venv/bin/python -c 'import json, sys; print(json.load(sys.stdin)["disputes"][0]["item"])')
touchstone adjudicate --study demo --item "$item" --label plausible --by carol \
  --reason "It answers the question"

step "Are the plausible ones faithful to the evidence?"
touchstone find_evidence --study demo --batch plausibility --name evidence
touchstone open_batch --study demo --name faithfulness --scheme faithfulness --pool evidence \
  --judgements 3 --guideline demo/guideline-faithfulness.md
touchstone rehearse --study demo --batch faithfulness --annotators 6 --accuracy 0.9 --seed 1
touchstone close_batch --study demo --batch faithfulness
touchstone settle --study demo --batch faithfulness --rule majority

step "The release"
touchstone release --study demo --dataset everyday --out "$TOUCHSTONE_DATA/release" \
  --rehearsal --set-aside-disputes
touchstone show_release "$TOUCHSTONE_DATA/release"

step "Done"
cat <<END
$TOUCHSTONE_DATA/release is the extended data set: gold.json is the truth with the accepted answers added.
The verdicts come from SIMULATED annotators, who are right or wrong at random: use them for nothing.
Score a run:  python3 $TOUCHSTONE_DATA/release/evaluate.py $TOUCHSTONE_DATA/release/gold.json demo/runs/birch.json
The database is in $TOUCHSTONE_DATA; the next make demo makes it anew.
END
