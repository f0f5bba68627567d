package lang

// This file runs diagnoses: wrappers that judge a method on a model.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

// A Diagnosis is a diagnose line of the inference block, or an expression such as
// "sbc(nuts())", with all options.
type Diagnosis struct{ *Method }

// Diagnosis checks an expression such as "sbc(nuts())" against the program, as Method does.
// The error is a *CompileError.
func (p *Program) Diagnosis(expr string) (*Diagnosis, error) {
	if err := p.broken(); err != nil {
		return nil, err
	}
	file := source.NewFile("diagnosis", expr)
	tree, found := parser.ParseMethod(file)
	if found.HasErrors() {
		return nil, &CompileError{found}
	}
	checked, info, found := check.CheckMethod(tree, true, p.Info, p.methods)
	if found.HasErrors() || checked == nil {
		return nil, &CompileError{found}
	}
	if p.swaps(checked, info, found); found.HasErrors() {
		return nil, &CompileError{found}
	}
	return &Diagnosis{&Method{checked: clones{}.of(checked), info: info, rows: p.methods, warnings: found}}, nil
}

// Diagnoses returns the diagnose lines of the inference block, in order; none is no error. The
// error is a *CompileError.
func (p *Program) Diagnoses() ([]*Diagnosis, error) {
	if err := p.broken(); err != nil {
		return nil, err
	}
	var out []*Diagnosis
	made := clones{}
	for _, d := range p.Info.Directives {
		if d.Name == "" && d.Method != nil {
			out = append(out, &Diagnosis{&Method{checked: made.of(d.Method), rows: p.methods, warnings: &problem.List{}}})
		}
	}
	return out, nil
}

// diagnoses is the one list of diagnoses that can be run. Each also gives the form of
// the model that the diagnosis works on.
func (b *builder) diagnoses() map[string]func(*check.CheckedMethod, *Model) (diagnose.Diagnosis, infer.Model, error) {
	return map[string]func(*check.CheckedMethod, *Model) (diagnose.Diagnosis, infer.Model, error){
		"bread":       b.bread,
		"sbc":         b.sbc,
		"gibbs_prior": b.judgeGibbsPrior,

		"prior_predictive":     b.predictive,
		"posterior_predictive": b.predictive,

		"held_out": b.heldOut,
	}
}

// diagnosis makes a diagnosis. The error is a *MethodError.
func (b *builder) diagnosis(c *check.CheckedMethod, m *Model) (diagnose.Diagnosis, infer.Model, error) {
	all := b.diagnoses()
	make := all[c.Row.Name]
	if make == nil {
		var known []string
		for name := range all {
			known = append(known, name)
		}
		slices.Sort(known)
		return nil, nil, methodError(c.Loc, "method-not-available",
			"%s belongs to the language, but this version cannot run it as a diagnosis yet; it runs %s", c.Row.Name, strings.Join(known, ", "))
	}
	d, model, err := make(c, m)
	return d, model, placed(c, err)
}

// placed makes an error a *MethodError.
func placed(c *check.CheckedMethod, err error) error {
	if at := new(MethodError); err == nil || errors.As(err, &at) {
		return err
	}
	return methodError(c.Loc, "method-option", "%v", err)
}

// Judges reports whether this version can run the diagnosis on the model, as far as that
// can be known without running it; the error is a *MethodError.
func (m *Model) Judges(d *Diagnosis) error {
	if err := m.summable(d.checked); err != nil {
		return err
	}
	b := &builder{program: m.Program, info: d.info}
	if _, _, err := b.diagnosis(d.checked, m); err != nil {
		return err
	}
	switch {
	case onGivenData(d.checked), d.checked.Row.Name == "held_out":
		return nil
	case d.checked.Row.Name == "sbc" && fromPosterior(d.checked):
		return m.Program.misfit(d.checked, bind.Augmentable(m.bound))
	case fromPosterior(d.checked), d.checked.Has("calibration") && d.checked.Int("calibration") == 0:
		return m.Program.misfit(d.checked, bind.Drawable(m.bound))
	}
	from, err := b.generator(d.checked, m)
	if err != nil {
		return err
	}
	err = from.Generative()
	if not, ok := errors.AsType[*graph.NotGenerative](err); ok {
		return m.Program.misfit(d.checked, &infer.MissingError{Method: d.checked.Row.Name, Needs: "a model to simulate from", Reason: not})
	}
	return err
}

// fromPosterior reports whether a diagnosis simulates from the posterior given the data at hand.
func fromPosterior(c *check.CheckedMethod) bool {
	return c.Has("from") && c.Text("from") == "posterior"
}

// onGivenData reports whether a diagnosis needs no simulated data.
func onGivenData(c *check.CheckedMethod) bool { return c.Has("data") && c.Text("data") == "given" }

// Diagnose judges a method on the model. When ctx ends early the verdict is about what
// was done so far and is marked incomplete. A *MethodError says that the model lacks
// what the diagnosis needs.
func (m *Model) Diagnose(ctx context.Context, d *Diagnosis, o RunOptions) (*diagnose.Verdict, error) {
	defer m.bound.TrackRun(ctx)()
	// Nothing is shared: the method runs anew on each data set.
	b := &builder{points: o.Init, program: m.Program, info: d.info}
	run, model, err := b.diagnosis(d.checked, m)
	if err != nil {
		return nil, err
	}
	v, err := run.Diagnose(ctx, model, infer.Options{Seed: o.Seed, Jobs: o.Jobs, Observer: o.Observer, Share: o.Share})
	if err != nil {
		return nil, m.Program.misfit(d.checked, err)
	}
	v.Directive = d.String()
	if o.Share.Divided() {
		return v, nil
	}
	if !onGivenData(d.checked) && !fromPosterior(d.checked) && d.checked.Row.Name != "held_out" {
		m.judgeSimulator(v, o.Seed)
	}
	m.noteWritten(v, d.checked)
	return v, nil
}

// noteWritten says of a verdict on short chains what those of Run have and they have not: the centring of effects that is
// learned where warm-up comes in stages.
func (m *Model) noteWritten(v *diagnose.Verdict, c *check.CheckedMethod) {
	inner := c.Inner
	if c.Row.Name != "sbc" || inner == nil || v.Severity != diagnose.Bad && v.Severity != diagnose.Warning || inner.Row.Option("max_draws") == nil || inner.Given("warmup") || inner.Given("adapt") {
		return
	}
	var names []string
	for _, e := range m.bound.Effects() {
		names = append(names, e.Name)
	}
	if len(names) > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("Inside sbc chains take effects as they are written (%s), without the centring that a fit learns, so that a fit may be better than this verdict.", strings.Join(names, ", ")))
	}
}

// Units is the number of independent units of a diagnosis, which RunOptions.Share divides. The error is that of
// Judges.
func (m *Model) Units(d *Diagnosis) (int, error) {
	run, _, err := (&builder{program: m.Program, info: d.info}).diagnosis(d.checked, m)
	if err != nil {
		return 0, err
	}
	return run.Units(), nil
}

// judgeSimulator adds what is to be known of the data sets that a wrapper has simulated: a
// simulate block that is another model than the model block, which bread cannot see by
// itself, and data outside the declared bounds, which no fit is ever given.
func (m *Model) judgeSimulator(v *diagnose.Verdict, seed uint64) {
	if differ, err := m.CheckSimulate(seed); err == nil && differ != nil {
		if v.Severity != diagnose.None {
			v.Severity = diagnose.Worse(v.Severity, diagnose.Warning)
		}
		v.Summary = "The simulate block and the model block differ, so that the data are not the model's. " + v.Summary
		v.Notes = append(v.Notes, fmt.Sprintf("The simulate block and the model block differ: %s.", strings.TrimSuffix(differ.Message, ".")))
	}
	if !slices.ContainsFunc(m.Program.IR.Data, func(v *ir.Var) bool { return v.Decl != nil && v.Decl.Constraint != nil }) {
		return
	}
	outside, first := 0, ""
	for i := range boundTrials {
		s, err := m.SimulateNumber(seed, i)
		if err != nil {
			continue
		}
		if w := s.Warnings(); len(w) > 0 {
			if outside++; first == "" {
				first = w[0].Error()
			}
		}
	}
	if outside > 0 {
		if v.Severity != diagnose.None {
			v.Severity = diagnose.Worse(v.Severity, diagnose.Warning)
		}
		v.Notes = append(v.Notes, fmt.Sprintf("%d of %d simulated data sets are outside the declared bounds of the data (%s): the model says otherwise than the declaration what data there are. Write T[,] with these bounds behind the distribution, or declare the data without them.", outside, boundTrials, first))
	}
}

// boundTrials is how many simulated data sets are held against the declared bounds.
const boundTrials = 100
