# Cumulative-link mixed models of ratings_long.csv and preferences_long.csv, with R's package ordinal.
#
#     Rscript mixed_model.R
#
# Runs are fixed effects. Questions, annotators, an annotator's leaning towards a run, and answers are random
# effects: the differences are of these runs for other questions and other annotators. Estimates are on the scale of
# the logit. Written from the documentation of ordinal (Christensen, Regression Models for Ordinal Data); Touchstone
# has not run this script, unlike mixed_model.py. Where a variance is about 0, leave its term out.

library(ordinal)

table_of <- function(name) read.csv(name, colClasses = "character", na.strings = character())
effects_of <- function(model, names) {
  found <- summary(model)$coefficients[names, , drop = FALSE]
  half <- qnorm(0.975) * found[, "Std. Error"]
  cbind(found, low = found[, "Estimate"] - half, high = found[, "Estimate"] + half)
}

ratings <- subset(table_of("ratings_long.csv"), is_answerable == "true")
for (pool in unique(ratings$pool)) {
  for (measure in c("faithful", "appropriate")) {
    rows <- ratings[ratings$pool == pool & ratings$measure == measure, ]
    if (length(unique(rows$run)) < 2) next
    rows$value <- factor(rows$value, ordered = TRUE)
    rows$run <- factor(rows$run, levels = unique(rows$run))
    rows$turn_id <- factor(rows$turn_id)
    rows$annotator <- factor(rows$annotator)
    rows$leaning <- interaction(rows$annotator, rows$run, drop = TRUE, sep = "|")
    rows$answer <- interaction(rows$turn_id, rows$run, drop = TRUE, sep = "|")
    model <- clmm(value ~ run + (1 | turn_id) + (1 | annotator) + (1 | leaning) + (1 | answer), data = rows)
    cat("\n", pool, ": ", measure, ", differences from ", levels(rows$run)[1], "\n", sep = "")
    print(effects_of(model, paste0("run", levels(rows$run)[-1])))
  }
}

# Each pair of runs by preference: the intercepts of a cumulative-link model are its thresholds, so the effect of a
# run is a column that is 1 where it is the first of the pair, -1 where it is the other.
preferences <- table_of("preferences_long.csv")
for (pool in unique(preferences$pool)) {
  rows <- preferences[preferences$pool == pool, ]
  runs <- unique(c(rows$one, rows$other))
  effects <- sapply(runs[-1], function(run) (rows$one == run) - (rows$other == run))
  colnames(effects) <- paste0("run", seq_along(runs)[-1])
  rows <- cbind(rows, effects)
  rows$value <- factor(as.integer(rows$value), ordered = TRUE)
  rows$left <- ifelse(rows$one_is_left == "true", 1, -1)
  rows$leaning <- interaction(rows$annotator, rows$one, rows$other, drop = TRUE, sep = "|")
  rows$answers <- interaction(rows$turn_id, rows$one, rows$other, drop = TRUE, sep = "|")
  terms <- paste(c(colnames(effects), "left"), collapse = " + ")
  model <- clmm(as.formula(paste("value ~", terms, "+ (1 | leaning) + (1 | answers)")), data = rows)
  cat("\n", pool, ": preference, differences from ", runs[1], ": ",
      paste0(colnames(effects), " is ", runs[-1], collapse = ", "), "\n", sep = "")
  print(effects_of(model, c(colnames(effects), "left")))
}
