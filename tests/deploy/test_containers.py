"""The files of the containers, read: no builder and no registry of images is at hand where the tests run."""

import os
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch

import pytest
import yaml

from tests.deploy.containerfile import stages, values
from tests.jobs.installation import ROOT

DEPLOY = ROOT / "deploy"
# Of the build stage's Debian packages none is needed: every requirement has a wheel.
BUILD_TOOLS = ("build-essential", "gcc", "g++", "make", "python3-dev", "libpq-dev")
ONCE = {"migrate", "backup"}
BACKUPS = "/var/backups/touchstone"
VALUES = {"POSTGRES_PASSWORD": "abc123", "TOUCHSTONE_HOST": "judge.example.org"}


@pytest.fixture(scope="module")
def image():
    return stages()


@pytest.fixture(scope="module")
def compose():
    def filled_in(match):
        return VALUES[match[1]]

    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", filled_in, text))


def test_the_stages_begin_with_a_named_version_of_the_python_that_is_tested(image):
    bases = [values(stage, "FROM")[0].split()[0] for stage in image]

    assert len(bases) == 2
    assert {base.rpartition(":")[2] for base in bases} == {"3.11-slim-bookworm"}


def test_the_image_has_no_build_tools_and_runs_as_nobody_special(image):
    *_, last = image

    assert not [tool for run in values(last, "RUN") for tool in BUILD_TOOLS if f" {tool} " in run]
    (user,) = values(last, "USER")
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user)
    assert f"--uid {user.partition(':')[0]} " in " ".join(values(last, "RUN"))


def test_the_image_keeps_its_data_in_a_volume_and_is_asked_whether_it_is_alive(image, compose):
    *_, last = image
    (volume,) = values(last, "VOLUME")

    assert f"TOUCHSTONE_DATA={volume}" in values(last, "ENV")[0]
    assert compose["services"]["web"]["volumes"] == [f"data:{volume}"]
    assert "/health/live/" in values(last, "HEALTHCHECK")[0]


def test_the_image_has_every_room_and_what_it_copies_exists(image):
    copied = {
        source
        for stage in image
        for value in values(stage, "COPY")
        if not value.startswith("--from")
        for source in value.split()[:-1]
    }
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    taken = {line.removeprefix("!") for line in lines if line.startswith("!")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rooms = set(project["tool"]["importlinter"]["root_packages"])

    assert {each for each in copied if not (ROOT / each).exists()} == set()
    assert rooms | {"manage.py", "static", "templates"} | (copied - {"."}) <= taken
    assert "*" in lines
    assert not [each for each in taken if fnmatch(each, ".*")]


def test_every_service_of_compose_comes_again_and_waits_for_what_it_needs(compose):
    services = compose["services"]

    assert set(services) == {"web", "worker", "migrate", "backup", "database", "broker"}
    for name, service in services.items():
        assert service["restart"] == ("no" if name in ONCE else "unless-stopped")
        for needed, how in service.get("depends_on", {}).items():
            healthy = how["condition"] == "service_healthy"
            assert not healthy or "test" in services[needed]["healthcheck"]
        named = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        assert named <= {*compose["volumes"], BACKUPS}


def test_only_this_machine_reaches_a_service(compose):
    ports = {name: service.get("ports", []) for name, service in compose["services"].items()}

    assert ports.pop("web") == ["127.0.0.1:8000:8000"]
    assert set(map(tuple, ports.values())) == {()}


def test_what_compose_asks_for_is_in_its_example():
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    example = (DEPLOY / "compose.env.example").read_text(encoding="utf-8")

    assert set(re.findall(r"\$\{(\w+)", text)) == set(re.findall(r"^(\w+)=", example, re.MULTILINE))
    assert "POSTGRES_PASSWORD=\n" in example  # no password is everybody's


def test_the_settings_of_compose_pass_check_deploy(compose, tmp_path):
    settings = compose["services"]["web"]["environment"] | {"TOUCHSTONE_DATA": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env={"PATH": os.environ["PATH"], **settings},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_set_in_the_file_of_compose_reaches_every_process_of_touchstone(compose):
    page = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")

    files = {service["env_file"] for service in compose["services"].values() if "build" in service}

    (file,) = files
    assert f"--env-file {file} " in page


def test_the_image_has_what_files_in_a_bucket_need(image):
    (installed,) = [run for run in values(image[0], "RUN") if "pip install" in run]

    assert "--require-hashes -r requirements.lock -r requirements-s3.lock" in installed
    assert "-r requirements.txt -r requirements-s3.txt -c constraints.txt" in installed


def test_only_the_service_for_backups_reaches_them_and_it_is_not_started_with_the_others(
    compose, image
):
    services = compose["services"]
    user, page = values(image[-1], "USER")[0], (ROOT / "docs" / "deployment.md").read_text("utf-8")

    mounting = [
        name
        for name, service in services.items()
        if f"{BACKUPS}:{BACKUPS}" in service.get("volumes", [])
    ]

    assert mounting == ["backup"]
    assert services["backup"]["profiles"] == ["backup"]
    assert set(services["web"]["volumes"]) < set(services["backup"]["volumes"])
    assert "-o {} -g {} {}\n".format(*user.split(":"), BACKUPS) in page
    assert "compose run --rm backup\n" in page


def test_the_commands_of_compose_are_those_of_the_units(compose, image):
    """But for where the web server listens: in a container nobody else is there."""
    units = DEPLOY / "systemd"
    worker = (units / "touchstone-worker.service").read_text(encoding="utf-8")
    web = (units / "touchstone-web.service").read_text(encoding="utf-8")
    backup = (units / "touchstone-backup.service").read_text(encoding="utf-8")
    (command,) = values(image[-1], "CMD")

    assert f"bin/{' '.join(compose['services']['backup']['command'])}\n" in backup
    assert f"bin/{' '.join(compose['services']['worker']['command'])}\n" in worker
    assert " ".join(yaml.safe_load(command)).replace("0.0.0.0", "127.0.0.1") in web
