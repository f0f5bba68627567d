package lang

// This file builds coordinate ascent variational inference.

import (
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// cavi returns discrete parameters factors of their own, on the joint density. What goes on
// from its density moves continuous parameters only.
func (b *builder) cavi(c *check.CheckedMethod) (infer.Method, error) {
	o := cavi.DefaultOptions()
	o.Draws, o.Iterations, o.Tolerance, o.Init = c.Int("draws"), c.Int("iterations"), c.Real("tolerance"), b.start(c)
	o.Blocks, o.Nonconjugate = c.Text("blocks"), c.Text("nonconjugate")
	o.Starts, o.Continuous = c.Int("starts"), b.continuous
	return cavi.New(o)
}

// summedOut builds methods whose result has continuous parameters only, where they have
// a choice.
func (b *builder) summedOut() *builder {
	c := *b
	c.continuous = true
	return &c
}

// factorises reports whether the model can be taken apart into factors. One of a single
// coordinate need not be.
func (m *Model) factorises(c *check.CheckedMethod) error {
	joint := m.bound.Joint()
	f, ok := joint.(infer.Factorisable)
	if !ok || joint.Dim() <= 1 {
		return nil
	}
	_, err := f.Factorise(c.Text("blocks"))
	return err
}
