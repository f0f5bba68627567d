# Compares moment matching, LOO-PIT, summaries and intervals with R's loo, bayesplot and rstan on the same draws, and the time of each.
#
# Needs Debian's r-cran-loo, r-cran-bayesplot, r-cran-rstan and r-cran-jsonlite; the folder is that of mend.sh.
# Usage: Rscript mend.R FOLDER
suppressMessages({library(loo); library(bayesplot); library(rstan); library(jsonlite)})
setwd(commandArgs(trailingOnly = TRUE)[1])
d <- fromJSON("d.json")
read <- function(path) fromJSON(path, simplifyDataFrame = FALSE)
times <- fromJSON("times.json")
show <- function(name, a, b, bound) {
  cat(sprintf("%-34s ppl %14.8f   R %14.8f   difference %8.1e\n", name, a, b, abs(a - b)))
  if (!isTRUE(abs(a - b) <= bound)) stop(name, " differs by more than ", bound)
}
timed <- function(name, ours, expr) {
  t <- system.time(value <- suppressWarnings(expr))[["elapsed"]]
  cat(sprintf("%-34s ppl %8.0f ms (the whole command)   R %8.0f ms (the call)\n", name, ours / 1e6, 1000 * t))
  value
}

files <- sprintf("m/chain-%d.csv", 1:4)
x <- lapply(files, read.csv, comment.char = "#", check.names = FALSE)
parameters <- c("a", "b", "s")
chains <- array(NA, c(nrow(x[[1]]), 4, 3), list(NULL, NULL, parameters))
for (i in 1:4) chains[, i, ] <- as.matrix(x[[i]][, parameters])
draws <- do.call(rbind, lapply(x, function(t) as.matrix(t[, parameters])))

# rstan's monitor and bayesplot's intervals.
m <- timed("monitor", times$summary, monitor(chains, warmup = 0, print = FALSE))
intervals <- mcmc_intervals_data(chains, prob = 0.5, prob_outer = 0.9)
for (p in read("m.json")$fits[[1]]$parameters) {
  if (!p$name %in% parameters) next
  show(paste(p$name, "mean"), p$mean, m[p$name, "mean"], 1e-9)
  show(paste(p$name, "sd"), p$sd, m[p$name, "sd"], 1e-9)
  # monitor has normal scores of (r - 1/2)/S, where posterior and ppl have (r - 3/8)/(S + 1/4), and rounds effective sizes.
  show(paste(p$name, "Rhat"), p$rhat, m[p$name, "Rhat"], 1e-4)
  show(paste(p$name, "Bulk_ESS"), p$ess_bulk, m[p$name, "Bulk_ESS"], 2)
  show(paste(p$name, "Tail_ESS"), p$ess_tail, m[p$name, "Tail_ESS"], 2)
  row <- intervals[intervals$parameter == p$name, ]
  for (q in list(c("q5", "ll"), c("q50", "m"), c("q95", "hh"))) show(paste(p$name, q[1]), p[[q[1]]], row[[q[2]]], 1e-9)
}

# The log density on the scale where s is log s.
terms <- function(q) dnorm(d$y, q[1] + q[2] * d$x, exp(q[3]), log = TRUE)
density <- function(q, ...) sum(dnorm(q[1:2], 0, 5, log = TRUE)) + dexp(exp(q[3]), 1, log = TRUE) + q[3] + sum(terms(q))
upars <- draws
upars[, 3] <- log(draws[, 3])
ll <- t(apply(upars, 1, terms))
chain <- rep(1:4, each = nrow(x[[1]]))
ours <- read("loo.json")$fits[[1]]$pointwise
member <- function(points, name) vapply(points, function(p) as.numeric(p[[name]]), 1)
efficiency <- member(ours, "relative_efficiency")
plain <- suppressWarnings(loo(ll, r_eff = efficiency))
matched <- timed("loo with moment matching", times$loo, loo_moment_match(plain, x = NULL,
  post_draws = function(x, ...) draws,
  log_lik_i = function(x, i, ...) ll[, i],
  unconstrain_pars = function(x, pars, ...) cbind(pars[, 1:2], log(pars[, 3])),
  log_prob_upars = function(x, upars, ...) apply(upars, 1, density),
  log_lik_i_upars = function(x, upars, i, ...) apply(upars, 1, function(q) terms(q)[i]),
  k_threshold = 0.5))

# Without error: b and log s on a grid, a by one sum over its grid.
grid <- as.matrix(expand.grid(a = seq(-3, 6, length.out = 71), b = seq(-3, 4, length.out = 71), s = seq(-1, 2.2, length.out = 61)))
gl <- t(apply(grid, 1, terms))
prior <- apply(grid, 1, function(q) sum(dnorm(q[1:2], 0, 5, log = TRUE)) + dexp(exp(q[3]), 1, log = TRUE) + q[3])
lse <- function(v) max(v) + log(sum(exp(v - max(v))))
exact <- vapply(seq_len(d$N), function(i) lse(prior + rowSums(gl)) - lse(prior + rowSums(gl[, -i])), 1)
for (i in seq_len(d$N)) {
  p <- ours[[i]]
  if (p$k <= 0.5 && !p$moved && !p$refit) next
  how <- if (p$moved) "moved" else if (p$refit) "a fit" else "weights"
  cat(sprintf("term %2d  k %5.2f   exact %9.4f   ppl %9.4f (%s)   R %9.4f (k %.2f)\n", i, p$k, exact[i], p$elpd_loo, how,
    matched$pointwise[i, "elpd_loo"], matched$diagnostics$pareto_k[i]))
  if (p$moved) show(paste("term", i), p$elpd_loo, matched$pointwise[i, "elpd_loo"], 0.001)
}
show("elpd_loo, exact", read("loo.json")$fits[[1]]$elpd_loo$estimate, sum(exact), 0.15)
# Without the terms that ppl takes from a fit, since what was moved keeps fewer draws in effect than it asks for.
both <- !vapply(ours, function(p) p$refit, TRUE)
show("elpd_loo, moment matching", sum(member(ours, "elpd_loo")[both]), sum(matched$pointwise[both, "elpd_loo"]), 0.001)

# LOO-PIT: with replications of R's own, and without any by the distribution function.
set.seed(1)
yrep <- t(apply(upars, 1, function(q) rnorm(d$N, q[1] + q[2] * d$x, exp(q[3]))))
lw <- weights(suppressWarnings(psis(-ll, r_eff = efficiency)), log = TRUE)
theirs <- timed("LOO-PIT", times$pit, vapply(seq_len(d$N), function(i) { w <- exp(lw[, i]); sum(w * (yrep[, i] <= d$y[i])) / sum(w) }, 1))
cdf <- vapply(seq_len(d$N), function(i) sum(exp(lw[, i]) * pnorm(d$y[i], upars[, 1] + upars[, 2] * d$x[i], exp(upars[, 3]))), 1)
pit <- unlist(read("pit.json")$fits[[1]]$pit$values)
show("largest difference of a PIT", max(abs(pit - cdf)), 0, 0.07)
show("largest difference of R's own", max(abs(theirs - cdf)), 0, 0.07)
cat("ok\n")
