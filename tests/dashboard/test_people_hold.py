from accounts.actions import members, users
from accounts.models import Role
from dashboard import progress


def test_simulated_people_are_no_annotators_of_the_study(study, alice):
    robot = users.create_simulated_user(name="robot")
    members.add(study=study, user=robot, roles=[Role.ANNOTATOR, Role.ADJUDICATOR], by=alice)

    way = progress.study_progress(study)

    assert (way.n_annotators, way.n_adjudicators) == (0, 0)
