package lang

// This file builds coordinate ascent variational inference.

import (
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// cavi gives discrete parameters factors of their own, so it runs on the joint density.
func (b *builder) cavi(c *check.CheckedMethod) (infer.Method, error) {
	o := cavi.DefaultOptions()
	o.Draws, o.Iterations, o.Tolerance, o.Init = c.Int("draws"), c.Int("iterations"), c.Real("tolerance"), b.start(c)
	o.Blocks, o.Nonconjugate = c.Text("blocks"), c.Text("nonconjugate")
	m, err := cavi.New(o)
	if err != nil {
		return nil, err
	}
	return onForm{m, true}, nil
}
