// Package draws holds what a sampler produced, measures it and files it.
//
// Contract. Draws is a table: chains by draws by columns. Its first column is
// lp__, then come the sampler's own columns (their names end in two
// underscores), then the model's. The statistics (R-hat, effective sample
// size, Monte Carlo error, quantiles) follow Vehtari, Gelman, Simpson,
// Carpenter and Bürkner, "Rank-normalization, folding, and localization: an
// improved R-hat", Bayesian Analysis 16 (2021), in the variants that the R
// package posterior settled on. CSVWriter and ReadCSV speak CmdStan's format.
//
// Ownership. A Row given to an observer borrows its slices from the sampler;
// whoever wants to keep them copies. Draws copies.
//
// Concurrency. Different chains of one Draws or CSVWriter may be filled from
// different goroutines, one goroutine a chain. Reading starts when filling
// has ended.
package draws
