"""docs/monitoring.md: its YAML is what Prometheus reads, and it names the metrics that there are, and no others."""

import re

import pytest
import yaml

from config.exposition import exposition
from jobs.actions import liveness
from monitoring import metrics
from tests.jobs.installation import ROOT

PAGE = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
ENDINGS = r"_(bucket|count|sum)$"


@pytest.fixture
def told(db):
    """The names of the metrics of a scrape; those with labels have a value each."""
    liveness.record_beat()
    metrics.REQUESTS.labels("home", "GET", 200)
    metrics.REQUEST_SECONDS.labels("home")
    metrics.JUDGEMENTS.labels("plausibility")
    lines = exposition().decode().splitlines()
    names = {re.split(r"[{ ]", line)[0] for line in lines if not line.startswith("#")}
    return {re.sub(ENDINGS, "", name) for name in names if not name.endswith("_created")}


def test_the_table_has_every_metric(told):
    assert set(re.findall(r"^\| `(touchstone_\w+)` \|", PAGE, re.MULTILINE)) == told


def blocks():
    return [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]


def test_the_configuration_scrapes_the_address_with_the_token():
    configuration, _ = blocks()

    (scrape,) = configuration["scrape_configs"]
    assert scrape["metrics_path"] == "/metrics/"
    assert scrape["authorization"].keys() == {"credentials_file"}  # its type is Bearer by default


def test_each_rule_asks_for_metrics_that_there_are(told):
    _, configuration = blocks()

    (group,) = configuration["groups"]
    assert len(group["rules"]) == 4
    for rule in group["rules"]:
        assert rule.keys() == {"alert", "expr", "for", "labels", "annotations"}
        asked = {re.sub(ENDINGS, "", name) for name in re.findall(r"touchstone_\w+", rule["expr"])}
        assert asked <= told
        assert rule["expr"].count("(") == rule["expr"].count(")")
