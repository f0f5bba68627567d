# Compares ppl loo with the R package loo on the same draws.
#
# Needs Debian's r-cran-loo, and r-cran-jsonlite for the figures of ppl.
# Usage: Rscript compare.R LOO.json DIR DIR, with each DIR from "ppl run MODEL --out DIR" and
# LOO.json from "ppl loo DIR DIR --json". The relative efficiencies are taken from ppl, which
# splits chains for them where the R package does not; its own are printed beside them.
suppressMessages({library(loo); library(jsonlite)})
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 3) stop("usage: Rscript compare.R LOO.json DIR DIR")
report <- fromJSON(arguments[1], simplifyDataFrame = FALSE)

show <- function(name, a, b, bound) {
  cat(sprintf("%-34s ppl %12.6f   R %12.6f   difference %9.1e\n", name, a, b, abs(a - b)))
  if (!isTRUE(abs(a - b) <= bound)) stop(name, " differs by more than ", bound)
}
estimate <- function(x, row, column) x$estimates[row, column]
member <- function(points, name) vapply(points, function(p) as.numeric(p[[name]]), 1)

compare <- function(ours, dir) {
  cat(dir, "\n")
  files <- list.files(dir, "^chain-[0-9]+[.]csv$", full.names = TRUE)
  files <- files[order(as.integer(sub(".*chain-([0-9]+)[.]csv", "\\1", files)))]
  chains <- lapply(files, read.csv, comment.char = "#", check.names = FALSE)
  columns <- grep("^log_lik([.]|$)", names(chains[[1]]), value = TRUE)
  ll <- as.matrix(do.call(rbind, chains)[, columns, drop = FALSE])
  chain <- rep(seq_along(chains), vapply(chains, nrow, 1L))

  points <- ours$pointwise
  efficiency <- member(points, "relative_efficiency")
  own_efficiency <- relative_eff(exp(ll), chain_id = chain)
  theirs <- suppressWarnings(loo(ll, r_eff = efficiency))
  own <- suppressWarnings(loo(ll, r_eff = own_efficiency))
  other <- suppressWarnings(waic(ll))

  show("elpd_loo", ours$elpd_loo$estimate, estimate(theirs, "elpd_loo", "Estimate"), 1e-6)
  show("its standard error", ours$elpd_loo$error, estimate(theirs, "elpd_loo", "SE"), 1e-6)
  show("p_loo", ours$p_loo$estimate, estimate(theirs, "p_loo", "Estimate"), 1e-6)
  show("its standard error", ours$p_loo$error, estimate(theirs, "p_loo", "SE"), 1e-6)
  show("elpd_waic", ours$elpd_waic$estimate, estimate(other, "elpd_waic", "Estimate"), 1e-6)
  show("p_waic", ours$p_waic$estimate, estimate(other, "p_waic", "Estimate"), 1e-6)
  show("largest difference of a term", max(abs(member(points, "elpd_loo") - theirs$pointwise[, "elpd_loo"])), 0, 1e-6)
  show("largest difference of a k", max(abs(member(points, "k") - theirs$diagnostics$pareto_k)), 0, 1e-6)
  show("elpd_loo, R's own efficiency", ours$elpd_loo$estimate, estimate(own, "elpd_loo", "Estimate"), 0.05)
  show("mean relative efficiency", mean(efficiency), mean(own_efficiency), 0.1)
  theirs
}
fits <- Map(compare, report$fits, arguments[-1])

# loo_compare and the weights of models; R's pseudo-BMA+ has random numbers of its own, and
# the bound is four standard errors of the difference of two means of 1000 numbers in 0..1.
terms <- sapply(fits, function(f) f$pointwise[, "elpd_loo"])
ranks <- report$comparison
order <- match(vapply(ranks, function(r) r$name, ""), vapply(report$fits, function(f) f$name, ""))
table <- suppressWarnings(loo_compare(unname(fits)))
stacked <- stacking_weights(terms)
set.seed(1)
bma <- pseudobma_weights(terms)
for (i in seq_along(ranks)) {
  cat(ranks[[i]]$name, "\n")
  show("elpd_diff", ranks[[i]]$elpd_diff$estimate, table[i, "elpd_diff"], 1e-6)
  show("its standard error", ranks[[i]]$elpd_diff$error, table[i, "se_diff"], 1e-6)
  show("stacking weight", ranks[[i]]$stacking, stacked[order[i]], 1e-3)
  show("pseudo-BMA+ weight", ranks[[i]]$pseudo_bma_plus, bma[order[i]], 4 * 0.5 * sqrt(2 / 1000))
}
cat("ok\n")
