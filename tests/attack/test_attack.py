"""The quick ones of the attacks that `make attack` makes: all of them hold."""

import pytest

from tests.attack import forgery, raw, signing_in
from tests.attack.site import site
from tests.jobs.installation import database

pytestmark = pytest.mark.worker


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attacked")
    with database(folder) as url, site(folder, url) as found:
        yield found


@pytest.mark.parametrize(
    "attack",
    [raw.smuggling, forgery.ways_out, signing_in.sessions, signing_in.once],
    ids=["smuggling", "ways out", "sessions", "links for one use"],
)
def test_the_server_withstands(attack, attacked):
    found = attack(attacked)

    assert found.wrong == []
    assert found.n_tried > 0
