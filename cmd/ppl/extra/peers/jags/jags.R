# Simulates data of a mixture and a hierarchical regression, runs JAGS on both from the
# values that generated them, and writes data and draws for compare.go.
# usage: Rscript jags.R DIR
suppressMessages({library(rjags); library(coda)})
dir <- commandArgs(trailingOnly = TRUE)[1]
set.seed(1)
cpu <- function() { t <- proc.time(); t[["user.self"]] + t[["sys.self"]] }
json <- function(x) if (is.matrix(x)) paste0("[", paste(apply(x, 1, json), collapse = ","), "]") else
  if (length(x) == 1) format(x, digits = 17) else paste0("[", paste(format(x, digits = 17, trim = TRUE), collapse = ","), "]")
save <- function(name, x) writeLines(paste0("{", paste0('"', names(x), '":', sapply(x, json), collapse = ","), "}"), file.path(dir, paste0(name, ".json")))

run <- function(name, model, data, vars, start, burn, iter) {
  inits <- lapply(1:2, function(ch) c(list(.RNG.name = "base::Mersenne-Twister", .RNG.seed = ch), start))
  m <- jags.model(textConnection(model), data, inits = inits, n.chains = 2, n.adapt = 0, quiet = TRUE)
  adapt(m, burn, end.adaptation = TRUE)
  update(m, burn, progress.bar = "none")
  t <- cpu()
  s <- coda.samples(m, vars, iter, progress.bar = "none")
  t <- cpu() - t
  writeLines(format(t), file.path(dir, paste0(name, ".cpu")))
  for (ch in 1:2) write.csv(as.matrix(s[[ch]]), file.path(dir, sprintf("%s.%d.csv", name, ch)), row.names = FALSE)
}

R <- 30; W <- 5; tt <- c(-1.4, -0.7, 0, 0.7, 1.4)
y <- t(sapply(1:R, function(i) rnorm(1, 4, .5) + rnorm(1, 1, .2) * tt + rnorm(W, 0, .3)))
z <- sample(1:3, 1000, TRUE, c(.3, .5, .2)); yg <- rnorm(1000, c(-4, 0, 3)[z], c(1, .7, 1.2)[z])
save("rats", list(R = R, W = W, t = tt, y = y))
save("gmm3", list(N = 1000, y = yg))

run("rats", "model {
  for (i in 1:R) { a[i] ~ dnorm(ma, 1/sa^2); b[i] ~ dnorm(mb, 1/sb^2)
    for (j in 1:W) { y[i,j] ~ dnorm(a[i] + b[i]*t[j], ty) } }
  ma ~ dnorm(0, 1e-4); mb ~ dnorm(0, 1e-4); sa ~ dt(0, 1, 1) T(0,); sb ~ dt(0, 1, 1) T(0,)
  ty ~ dgamma(1, 0.1); sy <- 1/sqrt(ty) }",
  list(y = y, t = tt, R = R, W = W), c("ma", "mb", "sa", "sb", "sy", "a", "b"),
  list(ma = 4, mb = 1, sa = .5, sb = .2, ty = 1/.09, a = rep(4, R), b = rep(1, R)), 1000, 10000)
run("gmm3", "model {
  for (i in 1:N) { z[i] ~ dcat(w[]); y[i] ~ dnorm(m[z[i]], p[z[i]]) }
  w ~ ddirch(al[])
  for (k in 1:3) { m0[k] ~ dnorm(0, 0.01); p[k] ~ dgamma(2, 1) }
  m[1:3] <- sort(m0[]) }",
  list(y = yg, N = 1000, al = c(1, 1, 1)), c("m", "w", "p"),
  list(m0 = c(-4, 0, 3), p = c(1, 2, 0.7)), 500, 2000)
