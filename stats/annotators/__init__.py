"""The work of each annotator: figures, and signals that are reasons for a human look.

    from stats.annotators.entries import Entry               # one a label that somebody gave
    from stats.annotators.report import examine              # numpy comes with it: for jobs
    examined = examine(entries, replicates=1000, seed=0)
    examined.people[0].annotator, examined.people[0].reasons

| signal                 | test statistic                                          | null hypothesis                              |
| ---------------------- | ------------------------------------------------------- | -------------------------------------------- |
| run of one label       | the longest run of one label                            | labels by the person's own share of it       |
| agreement              | pairs that agree, beside how the others of them agree   | a robust t: as those whom they meet          |
| control items          | recall of one label, beside the others'                 | Fisher's exact test                          |
| speed                  | the median log time a word, beside the others'          | a robust t: one of the others                |
| drift within sessions  | agreement in second halves less than in first ones      | the order of questions has no effect         |
| drift between sessions | agreement falling from session to session               | the order of questions has no effect         |
| repeated label         | the same label twice in a row                           | the order of questions has no effect         |
| position bias          | labels by the place on screens with several answers     | the order of answers has no effect           |

Agreement and both drifts are over the first judgements of each item only: extra ones are asked for
because of their outcome. A person with a single label has no share of their own; there the labels
of others are the null hypothesis of the run.

All are one-sided. A p-value is the probability of at least as much in honest work; Holm's
adjustment over all people and signals of a table keeps the probability that any honest person of it
has a reason at .05. People are ranked by their strongest signal. Nobody is refused: a person looks,
and decides.
"""
