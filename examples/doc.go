// Package examples holds models, their data, and the tests that run them all; it has no
// code of its own.
//
// docs holds the documentation; docs/index.md lists the gallery, models of real data from many
// fields, each with its data and with what it printed. posteriors are models of real data
// with reference draws, workloads the models that the benchmarks time, corpus small
// programs that show the language and programs that break it, papers the experiments of five
// papers as tests, service a program that
// embeds a model.
//
// Tests read reference data from the folder that PPL_SHARED names, by default the
// folder "shared" beside the module. Where it is absent they say so and are skipped.
package examples
