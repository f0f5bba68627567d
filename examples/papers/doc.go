// Package papers holds the experiments of five papers whose methods ppl has: a folder for each,
// with models and data, and tests that run them and print the paper's numbers beside ours.
//
//	go test ./examples/papers -run Paper -v
//
// README.md lists all experiments by section, figure and table, with what is not reproduced
// and why.
package papers
