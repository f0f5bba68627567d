# Compares ppl loo with the R package loo on the same draws.
#
# Needs Debian's r-cran-loo, and r-cran-jsonlite for the figures of ppl.
# Usage: Rscript compare.R DIR LOO.json, with DIR from "ppl run MODEL --out DIR" and
# LOO.json from "ppl loo DIR --json". The relative efficiencies are taken from ppl, which
# splits chains for them where the R package does not; its own are printed beside them.
suppressMessages({library(loo); library(jsonlite)})
arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) stop("usage: Rscript compare.R DIR LOO.json")

files <- list.files(arguments[1], "^chain-[0-9]+[.]csv$", full.names = TRUE)
files <- files[order(as.integer(sub(".*chain-([0-9]+)[.]csv", "\\1", files)))]
chains <- lapply(files, read.csv, comment.char = "#", check.names = FALSE)
columns <- grep("^log_lik([.]|$)", names(chains[[1]]), value = TRUE)
ll <- as.matrix(do.call(rbind, chains)[, columns, drop = FALSE])
chain <- rep(seq_along(chains), vapply(chains, nrow, 1L))

ours <- fromJSON(arguments[2])$fits
points <- ours$pointwise[[1]]
own_efficiency <- relative_eff(exp(ll), chain_id = chain)
theirs <- suppressWarnings(loo(ll, r_eff = points$relative_efficiency))
own <- suppressWarnings(loo(ll, r_eff = own_efficiency))
other <- suppressWarnings(waic(ll))

show <- function(name, a, b, bound) {
  cat(sprintf("%-34s ppl %12.6f   R %12.6f   difference %9.1e\n", name, a, b, abs(a - b)))
  if (!isTRUE(abs(a - b) <= bound)) stop(name, " differs by more than ", bound)
}
estimate <- function(x, row, column) x$estimates[row, column]
show("elpd_loo", ours$elpd_loo$estimate, estimate(theirs, "elpd_loo", "Estimate"), 1e-6)
show("its standard error", ours$elpd_loo$error, estimate(theirs, "elpd_loo", "SE"), 1e-6)
show("p_loo", ours$p_loo$estimate, estimate(theirs, "p_loo", "Estimate"), 1e-6)
show("its standard error", ours$p_loo$error, estimate(theirs, "p_loo", "SE"), 1e-6)
show("elpd_waic", ours$elpd_waic$estimate, estimate(other, "elpd_waic", "Estimate"), 1e-6)
show("p_waic", ours$p_waic$estimate, estimate(other, "p_waic", "Estimate"), 1e-6)
show("largest difference of a term", max(abs(points$elpd_loo - theirs$pointwise[, "elpd_loo"])), 0, 1e-6)
show("largest difference of a k", max(abs(points$k - theirs$diagnostics$pareto_k)), 0, 1e-6)
show("elpd_loo, R's own efficiency", ours$elpd_loo$estimate, estimate(own, "elpd_loo", "Estimate"), 0.05)
show("mean relative efficiency", mean(points$relative_efficiency), mean(own_efficiency), 0.1)
cat("ok\n")
