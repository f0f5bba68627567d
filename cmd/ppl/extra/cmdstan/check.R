# Compares summaries of the same CSV files: by rstan and posterior, by ppl summary, and by
# bin/stansummary. Called by check.sh with the folder of the files and the names of the runs.
suppressMessages({
  library(rstan)
  library(posterior)
})
args <- commandArgs(trailingOnly = TRUE)
folder <- args[1]
tolerance <- 1e-6 # relative; the files hold eight digits and the tables six or more

bracketed <- function(name) ifelse(grepl(".", name, fixed = TRUE),
  paste0(gsub(".", ",", sub(".", "[", name, fixed = TRUE), fixed = TRUE), "]"), name)

worst <- function(theirs, ours) {
  same <- is.na(theirs) & is.na(ours)
  max(0, abs(theirs - ours)[!same] / (1e-3 + abs(theirs[!same])))
}

failed <- FALSE
for (run in args[-1]) {
  files <- file.path(folder, sprintf("%s-%d.csv", run, 1:4))
  fit <- read_stan_csv(files)
  draws <- as_draws_array(as.array(fit))
  figures <- as.data.frame(summarise_draws(draws, mean, sd, mad, mcse_mean,
    ~quantile2(.x, probs = c(0.05, 0.5, 0.95)), rhat, ess_bulk, ess_tail))
  rownames(figures) <- figures$variable

  ours <- jsonlite::fromJSON(file.path(folder, paste0(run, ".json.out")))$fits$parameters[[1]]
  rownames(ours) <- bracketed(ours$name)
  table <- read.csv(file.path(folder, paste0(run, "-summary.csv")), comment.char = "#", check.names = FALSE, row.names = 1)
  stopifnot(setequal(rownames(ours), rownames(figures)), all(rownames(figures) %in% rownames(table)))
  ours <- ours[rownames(figures), ]
  table <- table[rownames(figures), ]

  pairs <- list(c("mean", "mean", "Mean"), c("sd", "sd", "StdDev"), c("mcse_mean", "mcse", "MCSE"),
    c("mad", NA, "MAD"), c("q5", "q5", "5%"), c("q50", "q50", "50%"), c("q95", "q95", "95%"),
    c("ess_bulk", "ess_bulk", "ESS_bulk"), c("ess_tail", "ess_tail", "ESS_tail"), c("rhat", "rhat", "R_hat"))
  errors <- sapply(pairs, function(p) max(worst(figures[[p[1]]], table[[p[3]]]),
    if (is.na(p[2])) 0 else worst(figures[[p[1]]], as.numeric(ours[[p[2]]]))))
  names(errors) <- sapply(pairs, `[`, 1)
  ok <- all(errors < tolerance)
  failed <- failed || !ok
  cat(sprintf("%-8s %2d variables, %d draws: greatest relative difference %.1e (%s) %s\n", run, nrow(figures),
    prod(dim(draws)[1:2]), max(errors), names(errors)[which.max(errors)], if (ok) "ok" else "FAILED"))

  # What rstan took from the comments.
  sampler <- get_sampler_params(fit, inc_warmup = FALSE)
  stopifnot(length(sampler) == 4, all(c("accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__") %in% colnames(sampler[[1]])))
  stopifnot(all(grepl("Step size", sapply(fit@sim$samples, function(s) attr(s, "adaptation_info")))))
  stopifnot(all(get_elapsed_time(fit) >= 0))
}
if (failed) quit(status = 1)
