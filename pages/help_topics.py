"""The documents that help serves, and the part of one that each page's Help link leads to."""

# Documents for users, by file name in docs/, in the order of the list: what it is about.
DOCUMENTS = {
    "pages": "every page, by role",
    "data-flow": "how the data moves, step by step",
    "formats": "the files that are read, with examples",
    "review": "review, disputes, second looks",
    "annotators": "figures on annotators",
    "trusted-people": "who works on a batch: pilots, training, qualifications, groups, questions on the guideline, reserved items, background questions",
    "pilot-to-release": "a campaign step by step: pilot, trusted people, full batch, evidence, release",
    "writing": "answers that people write from passages",
    "questions": "questions that were made from passages: curation, and results by question",
    "report": "how each number of a release is computed",
    "columns": "every column of a release",
    "columns-of-batches": "the columns of a batch's exported tables",
    "comparing": "how each number of a comparison of systems is computed",
    "columns-of-comparisons": "every column of a comparison",
    "columns-of-written-answers": "every column of written answers",
    "late-runs": "systems that come later",
    "measures": "automatic measures",
    "glossary": "terms",
    "privacy": "which personal data is stored, exported and erased",
    "api": "the REST API",
    "commands": "every command",
    "settings": "environment variables",
    "backup": "backup and restore",
    "upgrading": "from one version to the next",
    "deployment": "how to run it for others",
    "threat-model": "possible attacks and what stops them",
    "monitoring": "health checks, metrics, the log",
}

_BY_ANCHOR = {
    "pages#annotator": "work earnings ask desk_feedback consent desk_recent desk_guidelines desk_flag desk_skip",
    "pages#requester": "home",
    "pages#the-studys-home": "study study_new study_settings study_archive study_bring_back study_copy study_delete",
    "pages#data-sets-runs": (
        "datasets dataset runs run run_withdraw run_bring_back run_delete import_checked passages passage"
        " dataset_description dataset_withdraw dataset_bring_back dataset_delete run_table run_table_check"
    ),
    "formats#the-files-that-are-read": "dataset_import",
    "formats#runs-import_run-runjson-import_runs-dir": "run_import",
    "formats#scores-import_scores-filecsv": "scores_import",
    "measures#over-turns": "scores scores_count score_start",
    "questions#results-by-question": "question_results",
    "measures#against-people": "measures by_references",
    "pages#pools": (
        "pools pool pool_new pool_survey pool_audit pool_spans pool_withdraw pool_bring_back pool_delete"
        " evidence_new reference_evidence_new"
    ),
    "report#reading-the-tables": "pool_missed release",
    "report#versions-and-differences": "release_diff",
    "report#errata": "release_erratum",
    "report#relations-of-accepted-answers": "release_pairs",
    "pages#comparison-of-systems": "comparison_new",
    "writing#from-questions-to-written-answers": "writing_new",
    "questions#curation": "curation_new batch_curated",
    "writing#what-comes-out": "written",
    "writing#a-pilot-on-the-same-questions": "batch_written",
    "writing#a-second-round": "batch_second_round",
    "writing#which-answer-stands": "written_pairs",
    "pages#batches": (
        "batches batch batch_new batch_edit batch_preview batch_open batch_discard batch_pause"
        " batch_resume batch_deadline batch_close batch_reopen batch_withdraw batch_bring_back batch_items"
        " batch_notices batch_guideline batch_judgements batch_rename batch_share batch_return"
    ),
    "glossary#decisions": "batch_settle",
    "report#soft-labels-and-verdicts-by-rule": "batch_rules",
    "review#one-more-judgement": "batch_more",
    "report#agreement": "batch_agreement study_agreement",
    "annotators#signals": ("batch_annotators batch_annotator quality_annotators quality_annotator"),
    "annotators#control-items": "batch_controls",
    "annotators#pause": "annotator_pause annotator_resume",
    "comparing#planning": "planning",
    "comparing#what-counts": "compared compared_study",
    "comparing#primary-comparison": "compared_study_primary",
    "review#two-decisions-on-work": "batch_review review_work review_decide review_history review_undo",
    "review#disputes": "disputes batch_unclear",
    "pages#an-item": (
        "item item_adjudicate item_ask_again item_exclude item_note item_readmit"
        " item_retract item_unclear"
    ),
    "review#second-looks": "second_looks second_queue item_second",
    "report#precision-audits": "precision_audits precision_audit precision_draw precision_item",
    "pages#flags": "flags flag_answer messages",
    "report#runs-beside-each-other": "results results_of_study",
    "late-runs#late-runs": "late_runs",
    "late-runs#leave-one-team-out": "left_out_teams",
    "report#what-a-release-takes-and-when-it-refuses": "releases release_new release_changes release_withdraw release_bring_back",
    "pages#search": "search question",
    "pages#people": "people invitations invitation_revoke invitation_link member_roles member_password_link",
    "trusted-people#questions-on-the-guideline": "batch_check",
    "trusted-people#reserved-items": "batch_reserved batch_reassign reserved_part",
    "trusted-people#after-the-pilot": "after_pilot",
    "trusted-people#background-questions": "background_answers own_background",
    "trusted-people#the-plan-of-analysis": "batch_plan",
    "trusted-people#trusted-people": (
        "qualifications qualification_new qualification qualification_decide qualification_apply"
    ),
    "pages#jobs": "jobs job job_problems job_cancel history",
    "api#the-rest-api": "api_reference",
    "api#a-token": "token_new token_revoke",
    "pages#your-account--second-factor": "second_factor second_factor_off recovery_codes",
    "privacy#what-a-person-can-get": "account sign_out_everywhere",
    "pages#administrator": (
        "house house_history user_new study_requester user_password_link user_deactivate"
        " user_reactivate user_second_factor"
    ),
    "privacy#deactivated-erased": "user_erase",
}

# The document and its anchor, by the name of the page's address.
TOPICS = {page: anchor for anchor, pages in _BY_ANCHOR.items() for page in pages.split()}
