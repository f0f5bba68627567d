//go:build js || wasip1

package main

// This file stands for bars where there is no terminal.

import "github.com/seed-12b88e03/ppl/infer"

// watchBars watches nothing: there is no terminal.
func (c *console) watchBars(func(infer.ProgressReport) string, bool) (o infer.Observer, end func()) {
	return infer.Ignore{}, func() {}
}
