// Package examples holds models, their data, and the tests that run them all; it has no
// code of its own.
//
// eight_schools is the first model of the README, matrix_factorisation the subject of a study
// of annealing. posteriors are models of real data
// with reference draws, workloads the models that the benchmarks time, corpus small
// programs that show the language and programs that break it.
//
// Tests read reference data from the folder that PPL_SHARED names, by default the
// folder "shared" beside the module. Where it is absent they say so and are skipped.
package examples
