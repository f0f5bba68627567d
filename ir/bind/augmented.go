// The model given two data sets at once: its own, and one that was simulated.

package bind

import (
	"errors"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
)

// Augmented implements infer.Augmentable: the likelihood is that of y, which has been drawn independently of the
// observations at hand given the parameters, times that of these. Generated quantities are about y.
func (m *Model) Augmented(y infer.Dataset) (infer.Model, error) {
	if err := m.Augmentable(); err != nil {
		return nil, err
	}
	other, err := m.Rebound(y)
	if err != nil {
		return nil, err
	}
	o := other.(*Model)
	if o.dim != m.dim {
		return nil, errors.New("the number of parameters depends on the observations")
	}
	n := o.fork()
	n.known, n.observationParams, n.beside, n.simulator = o.known, o.observationParams, m.known, m.twin
	n.prepare()
	return n, nil
}

// Augmentable implements infer.Augmentable.
func (m *Model) Augmentable() error {
	const who, what = "a simulated data set beside that at hand", "a likelihood that is told from the prior, and data that can be drawn given the parameters"
	var reason error
	switch e := m.roles.Err(); {
	case len(m.discrete) > 0:
		return &infer.MissingError{Method: who, Needs: "continuous parameters only"}
	case e != nil:
		reason = &eval.Error{Span: e.At, Text: e.Text(), Help: e.Help()}
	case m.prog.Simulate == nil:
		reason = m.reading().DataErr()
	case m.reading().DataErr() != nil:
		reason = separable(m.prog.Simulate.Body)
	}
	if reason == nil {
		return nil
	}
	if p := new(graph.Problem); errors.As(reason, &p) {
		reason = wrapped(reason)
	}
	return &infer.MissingError{Method: who, Needs: what, Reason: reason}
}

// runModel runs the model block after the transformed parameters. Of a model of two data sets the likelihood of the second one
// follows.
func (m *Model) runModel(em *eval.Machine, rec *trace.Recorder) error {
	if err := em.Run(em.Prog.Model); err != nil || m.beside == nil {
		return err
	}
	first := len(em.Factors())
	for _, b := range m.beside {
		em.Set(b.v, b.x)
	}
	if err := m.transformParameters(em, rec); err != nil {
		return err
	}
	if err := em.Run(em.Prog.Model); err != nil {
		return err
	}
	em.KeepLikelihood(first)
	return nil
}

var _ infer.Augmentable = (*Model)(nil)
