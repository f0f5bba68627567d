//go:build js || wasip1

package console

// This file stands for bars where there is no terminal.

import "github.com/seed-12b88e03/ppl/infer"

// watchBars watches nothing: there is no terminal.
func (c *Console) watchBars(func(infer.ProgressReport) string, bool) (o infer.Observer, end func()) {
	return infer.Ignore{}, func() {}
}
