# Compares summaries, PSIS-LOO, stacking and the evidence with R's posterior, loo and bridgesampling on the same draws.
#
# Needs Debian's r-cran-posterior, r-cran-loo, r-cran-bridgesampling and r-cran-jsonlite; the models are those of fit.sh.
# Usage: Rscript fit.R FOLDER, in which there are for m in normal, student: the fit m, m.json from "ppl run --json", and
# d.json, loo.json from "ppl loo normal student --refit 0 --json" and compare.json from "ppl compare normal student --json".
suppressMessages({library(posterior); library(loo); library(bridgesampling); library(jsonlite)})
setwd(commandArgs(trailingOnly = TRUE)[1])
models <- c("normal", "student")
d <- fromJSON("d.json")
read <- function(path) fromJSON(path, simplifyDataFrame = FALSE)
report <- read("loo.json")
evidence <- read("compare.json")$verdicts[[1]]$models

show <- function(name, a, b, bound) {
  cat(sprintf("%-28s ppl %14.8f   R %14.8f   difference %8.1e\n", name, a, b, abs(a - b)))
  if (!isTRUE(abs(a - b) <= bound)) stop(name, " differs by more than ", bound)
}

# Chains as an array: iterations, chains, variables.
chains <- function(m) {
  files <- sprintf("%s/chain-%d.csv", m, 1:4)
  x <- lapply(files, read.csv, comment.char = "#", check.names = FALSE)
  out <- array(NA, c(nrow(x[[1]]), 4, ncol(x[[1]])), list(NULL, NULL, names(x[[1]])))
  for (i in 1:4) out[, i, ] <- as.matrix(x[[i]])
  out
}

# The log density on the scale where s is log s, with all constants.
density <- function(likelihood) function(q, data) {
  s <- exp(q["s"])
  sum(dnorm(q[c("a", "b")], 0, 5, log = TRUE)) + dexp(s, 1, log = TRUE) + q[["s"]] +
    sum(likelihood((data$y - q["a"] - q["b"] * data$x) / s) - log(s))
}
densities <- list(normal = density(function(r) dnorm(r, log = TRUE)), student = density(function(r) dt(r, 4, log = TRUE)))

# The evidence without error: b and log s on a grid, a by one sum over its grid.
quadrature <- function(f) {
  grid <- as.matrix(expand.grid(a = seq(-0.5, 2.2, length.out = 61), b = seq(-2.6, 0.4, length.out = 61), s = seq(-1.6, 1, length.out = 61)))
  l <- apply(grid, 1, f, data = d)
  max(l) + log(sum(exp(l - max(l)))) + log(2.7 / 60) + log(3 / 60) + log(2.6 / 60)
}

terms <- NULL
for (i in seq_along(models)) {
  m <- models[i]
  cat(m, "\n")
  x <- chains(m)
  for (p in read(paste0(m, ".json"))$fits[[1]]$parameters) {
    if (!p$name %in% c("a", "b", "s")) next
    v <- x[, , p$name]
    show(paste(p$name, "R-hat"), p$rhat, rhat(v), 1e-8)
    show(paste(p$name, "bulk ESS"), p$ess_bulk, ess_bulk(v), 1e-5)
    show(paste(p$name, "tail ESS"), p$ess_tail, ess_tail(v), 1e-5)
    show(paste(p$name, "MCSE of the mean"), p$mcse, mcse_mean(v), 1e-9)
    for (q in c(5, 50, 95)) show(paste0(p$name, " ", q, " %"), p[[paste0("q", q)]], quantile(c(v), q / 100), 1e-9)
  }
  ll <- x[, , grep("^log_lik", dimnames(x)[[3]])]
  ours <- report$fits[[i]]
  efficiency <- vapply(ours$pointwise, function(p) p$relative_efficiency, 1)
  theirs <- suppressWarnings(loo(ll, r_eff = efficiency))
  show("elpd_loo", ours$elpd_loo$estimate, theirs$estimates["elpd_loo", "Estimate"], 1e-6)
  terms <- cbind(terms, theirs$pointwise[, "elpd_loo"])

  q <- cbind(a = c(x[, , "a"]), b = c(x[, , "b"]), s = log(c(x[, , "s"])))
  set.seed(1)
  bridge <- bridge_sampler(q, log_posterior = densities[[m]], data = d, silent = TRUE,
    lb = c(a = -Inf, b = -Inf, s = -Inf), ub = c(a = Inf, b = Inf, s = Inf))
  exact <- quadrature(densities[[m]])
  got <- evidence[[i]]$log_evidence_bridge
  annealed <- evidence[[i]]$log_evidence_annealed
  show("log evidence, R's bridge", got$estimate, bridge$logml, 5 * got$error + 0.01)
  show("log evidence, quadrature", got$estimate, exact, 5 * got$error)
  show("annealed, quadrature", annealed$estimate, exact, 5 * annealed$error)
}
weights <- stacking_weights(terms)
for (rank in report$comparison) show(paste("stacking", rank$name), rank$stacking, weights[match(rank$name, models)], 1e-3)
cat("ok\n")
