"""Agreement of people who judge the same items. `registry` has the coefficients that reports and pages show.

    judgements = Judgements.from_columns(task=…, worker=…, label=…, question=…)   # parallel columns
    raw_agreement(judgements)         share of agreeing pairs
    cohen_kappa(judgements, ("a", "b")), pairwise_kappa(judgements)
    fleiss_kappa(judgements)
    krippendorff_alpha(judgements, level="nominal")
    gwet_ac1(judgements)              with the prevalence of each label
    gwet_ac2(judgements, level="ordinal", values=…)
    specific_agreement, label_shares  by label
    agreement_with_others             by annotator
    over_time(judgements, ended)      in windows
    confusion, confusion_of_two       labels of one person by labels of another
    annotator_intervals(judgements)   intervals where the people are a sample too
    recommendation(…)                 which to quote, and why

A row is one counted judgement: `worker` gave `label` to `task`, which belongs to `question`. Questions
may have a `cluster`, the conversation whose turns they are: intervals draw clusters. The caller leaves out control and excluded items.

Every figure is a frozen `Agreement`: the value, or None with the reason; what it was computed from;
a percentile interval (`stats.bootstrap` says to the digit how it is drawn) and the estimand in
words. Show raw, alpha, AC1 and the prevalence together: where nine answers in ten are plausible, two
people who are each right 94 times in 100 agree on 88 % and have alpha .57.
"""
