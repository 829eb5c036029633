# The areas of three R packages for each case: Rscript doc/measure_tools.R CASES.csv
#
# CASES.csv holds case, y_true, y_score and weight (empty without weights). Lines of program,
# case and value are printed. measure_tools.py writes the file, runs this and reads what it
# prints.

suppressPackageStartupMessages({
  library(MLeval)
  library(PerfMeas)
  library(yardstick)
})
pdf(NULL)  # MLeval draws

yardstick_pr_auc <- function(rows) {
  truth <- factor(rows$y_true, levels = c(1, 0))
  weight <- if (anyNA(rows$weight)) NULL else rows$weight
  pr_auc_vec(truth, rows$y_score, case_weights = weight)
}

perfmeas_auprc <- function(rows) {
  AUPRC(list(precision.at.all.recall.levels(rows$y_score, rows$y_true)))[[1]]
}

mleval_auc_pr <- function(rows) {
  seen <- ifelse(rows$y_true == 1, "yes", "no")
  table <- data.frame(no = 1 - rows$y_score, yes = rows$y_score, obs = seen)
  found <- evalm(table, plots = c(), silent = TRUE, showplots = FALSE)
  found$optres[[1]]["AUC-PR", "Score"]
}

for (package in c("yardstick", "PerfMeas", "MLeval")) {
  writeLines(paste("version", package, packageVersion(package), sep = ","))
}
cases <- read.csv(commandArgs(trailingOnly = TRUE)[1])
for (name in unique(cases$case)) {
  rows <- cases[cases$case == name, ]
  tell <- function(program, value) {
    writeLines(paste(program, name, format(value, digits = 17), sep = ","))
  }
  tell("yardstick", yardstick_pr_auc(rows))
  if (anyNA(rows$weight)) {  # neither takes weights
    tell("perfmeas", perfmeas_auprc(rows))
    tell("mleval", mleval_auc_pr(rows))
  }
}
