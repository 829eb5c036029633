# Exact areas under the precision-recall curve from cases.json, for check.py.
#     Rscript runner.R cases.json results.json
# It needs the package jsonlite for reading and writing, and base R for the rest.
library(jsonlite)

samples <- function(case) {
  g <- case$generator
  if (is.null(g)) {
    weight <- if (is.null(case$sample_weight)) rep(1, length(case$y_true)) else case$sample_weight
    return(list(y = case$y_true, s = case$y_score, w = weight))
  }
  y <- s <- numeric(g$n_samples)
  x <- as.numeric(g$seed)  # doubles: every product is below 2^53 and exact
  for (i in seq_len(g$n_samples)) {
    x <- (x * g$multiplier) %% g$modulus
    y[i] <- x < g$positive_below
    x <- (x * g$multiplier) %% g$modulus
    s[i] <- floor(x / g$score_divisor) + g$positive_shift * y[i]
  }
  list(y = y, s = s, w = rep(1, length(y)))
}

# The ROC curve in counts, one point per distinct score.
roc_curve <- function(d) {
  order <- order(-d$s)[d$w[order(-d$s)] > 0]
  s <- d$s[order]
  last <- c(s[-1] != s[-length(s)], length(s) > 0)
  list(f = c(0, cumsum((d$w * (1 - d$y))[order])[last]), t = c(0, cumsum((d$w * d$y)[order])[last]))
}

hull <- function(p) {
  keep <- integer(0)
  for (i in seq_along(p$t)) {
    while ((n <- length(keep)) > 1) {
      a <- keep[n - 1]
      b <- keep[n]
      if ((p$f[b] - p$f[a]) * (p$t[i] - p$t[b]) < (p$f[i] - p$f[b]) * (p$t[b] - p$t[a])) break
      keep <- keep[-n]
    }
    keep <- c(keep, i)
  }
  list(f = p$f[keep], t = p$t[keep])
}

x_minus_log1p <- function(x) {  # by its series where the two terms cancel
  small <- pmin(x, 0.1)
  ifelse(x > 0.1, x - log1p(x), rowSums(outer(-small, 18:2, `^`) / rep(18:2, each = length(x))))
}

area <- function(p, range) {
  total <- p$t[length(p$t)]
  t0 <- p$t[-length(p$t)]
  f0 <- p$f[-length(p$f)]
  slope <- diff(p$f) / diff(p$t)
  a <- pmax(t0, range[1] * total)
  b <- pmin(p$t[-1], range[2] * total)
  use <- a < b
  a <- a[use]; b <- b[use]; slope <- slope[use]
  n <- a + f0[use] + slope * (a - t0[use])
  x <- ifelse(n > 0, (b - a) * (1 + slope) / n, 0)
  part <- ifelse(n > 0, a * log1p(x) + n * x_minus_log1p(x) / (1 + slope), b - a)
  sum(part / (1 + slope)) / total
}

paths <- commandArgs(TRUE)
if (length(paths) != 2) stop("usage: Rscript runner.R cases.json results.json", call. = FALSE)
results <- list(auc_pr = list(), auc_pr_achievable = list(), aucnpr = list())
cases <- fromJSON(paths[1], simplifyDataFrame = FALSE)$cases
for (case in cases) {
  p <- roc_curve(samples(case))
  n_neg <- max(p$f); n_pos <- max(p$t); p0 <- case$prevalence
  range <- if (is.null(case$recall_range)) c(0, 1) else case$recall_range
  if (!is.null(p0)) p$f <- p$f * (n_pos * (1 - p0) / (p0 * n_neg))
  if (n_pos == 0 || (n_neg == 0 && !is.null(p0))) next  # undefined: left out
  value <- results$auc_pr[[case$name]] <- area(p, range)
  results$auc_pr_achievable[[case$name]] <- area(hull(p), range)
  minimum <- area(list(f = c(0, max(p$f), max(p$f)), t = c(0, 0, n_pos)), range)
  if (n_neg > 0) results$aucnpr[[case$name]] <- (value - minimum) / (diff(range) - minimum)
}
write(toJSON(results, auto_unbox = TRUE, digits = I(17), pretty = 1), paths[2])
