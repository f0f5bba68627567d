// The model given two data sets at once: its own, and one that was simulated.

package bind

import (
	"errors"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// Augmented implements infer.Augmentable: the likelihood is that of y, which has been drawn independently of the
// observations at hand given the parameters, times that of these. Generated quantities are about y.
func (m *Model) Augmented(y infer.Dataset) (infer.Model, error) {
	if err := Augmentable(m); err != nil {
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

// Augmentable is why a model cannot be given a second data set, a *infer.MissingError; nil where it can.
func Augmentable(m *Model) error {
	const who = "a simulated data set beside that at hand"
	if len(m.gaps.list) > 0 { // each data set lacks elements of its own
		return &infer.MissingError{Method: who, Needs: "complete data"}
	}
	if len(m.discrete) > 0 {
		return &infer.MissingError{Method: who, Needs: "continuous parameters only"}
	}
	if e := m.roles.Err(); e != nil {
		return &infer.MissingError{Method: who, Needs: "a likelihood that is told from the prior", Reason: &eval.Error{Span: e.At, Text: e.Text(), Help: e.Help()}}
	}
	return Drawable(m)
}

// Drawable is why data cannot be drawn given parameters, as far as the program tells, a *infer.MissingError; nil where they can.
func Drawable(m *Model) error {
	if m.gaps.written != nil {
		w, err := m.gaps.written()
		if err != nil {
			return err
		}
		return Drawable(w)
	}
	reason := m.reading().DataErr()
	if reason != nil && m.prog.Simulate != nil {
		reason = separable(m.prog.Simulate.Body)
	}
	if reason == nil {
		return nil
	}
	return &infer.MissingError{Method: "a data set given parameters", Needs: "distributions to draw the observations from", Reason: wrapped(reason)}
}

// runModel runs the model block after the transformed parameters. Of a model of two data sets the likelihood of the second one
// follows.
func runModel(m *Model, em *eval.Machine, rec *trace.Recorder) error {
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
