// Terms of the log density as nodes of a recording.

package bind

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// total adds up those terms of the log density that are wanted.
func (r *recorder) total(terms []eval.Term, want func(eval.Term) bool) autodiff.Node {
	fixed := 0.0
	var refs []autodiff.Ref
	for _, t := range terms {
		if !want(t) {
			continue
		}
		if ref := t.Value.Ref(0); ref.Node != autodiff.None {
			x, c := r.g.SplitConstant(r.g.Elem(ref.Node, int(ref.Elem)))
			refs = append(refs, autodiff.Ref{Node: x})
			fixed += c
		} else {
			fixed += t.Value.X[0]
		}
	}
	if len(refs) == 0 {
		return r.g.Scalar(fixed)
	}
	return r.g.Map(autodiff.Add, 1, r.g.Scalar(fixed), r.g.Sum(r.g.Gather(refs)))
}

// all takes every term of the log density.
func all(eval.Term) bool { return true }

// point makes the value of the unconstrained vector.
func point(q []float64, node autodiff.Node) *eval.Value {
	v := eval.NewValue(types.Vector, []int{len(q)}, append([]float64(nil), q...))
	v.Node = node
	return v
}

// sumOut makes the terms of the log density that remain when the discrete parameters
// are summed out.
func sumOut(em *eval.Machine) ([]eval.Term, error) {
	terms, _, err := em.SumOut(em.Factors())
	return terms, err
}

// joint makes the node of the joint log density of plain terms and factors; the
// indicators are elements of the graph's input from off on.
func (r *recorder) joint(terms []eval.Term, off int) autodiff.Node {
	var plain []eval.Term
	total := autodiff.None
	for _, t := range terms {
		if t.Vars == nil {
			plain = append(plain, t)
			continue
		}
		f := r.chosen(&t, off)
		off += len(t.Table)
		if total == autodiff.None {
			total = f
		} else {
			total = r.g.Map(autodiff.Add, 1, total, f)
		}
	}
	sum := r.total(plain, all)
	if total == autodiff.None {
		return sum
	}
	return r.g.Map(autodiff.Add, 1, sum, total)
}

// jointParts is joint with the terms that mention an observation apart.
func (r *recorder) jointParts(terms []eval.Term, off int) (p, l autodiff.Node) {
	p, l = r.total(terms, plainTerm(prior)), r.total(terms, plainTerm(likelihood))
	for i := range terms {
		t := &terms[i]
		if t.Vars == nil {
			continue
		}
		f := r.chosen(t, off)
		off += len(t.Table)
		if likelihood(*t) {
			l = r.g.Map(autodiff.Add, 1, l, f)
		} else {
			p = r.g.Map(autodiff.Add, 1, p, f)
		}
	}
	return p, l
}

// chosen is the entry of a factor whose indicator, from off on in the input, is one.
func (r *recorder) chosen(t *eval.Term, off int) autodiff.Node {
	n := len(t.Table)
	w, x := r.g.View(r.g.Input(), off, n), r.g.Gather(r.tableRefs(t))
	for _, v := range t.Table {
		if math.IsInf(v.X[0], 0) {
			return r.g.Sum(r.g.Map(counted, n, w, x))
		}
	}
	return r.g.Dot(w, x)
}

// tableRefs names the entries of a factor.
func (r *recorder) tableRefs(t *eval.Term) []autodiff.Ref {
	refs := make([]autodiff.Ref, len(t.Table))
	for k, v := range t.Table {
		if refs[k] = v.Ref(0); refs[k].Node == autodiff.None {
			refs[k] = autodiff.Ref{Node: r.g.Scalar(v.X[0])}
		}
	}
	return refs
}

// parts returns log prior and log likelihood. With discrete parameters the likelihood is
// the marginal one, the sum over them of everything divided by that of the prior.
func (r *recorder) parts(em *eval.Machine) (p, l autodiff.Node, err error) {
	terms := em.Factors()
	if low, _ := em.Discrete(); low == nil {
		return r.total(terms, prior), r.total(terms, likelihood), nil
	}
	var priors []eval.Term
	for _, t := range terms {
		if prior(t) {
			priors = append(priors, t)
		}
	}
	priors, _, err = em.SumOut(priors)
	if err != nil {
		return p, l, err
	}
	whole, _, err := em.SumOut(terms)
	if err != nil {
		return p, l, err
	}
	p = r.total(priors, all)
	return p, r.g.Map(autodiff.Sub, 1, r.total(whole, all), p), nil
}

func prior(t eval.Term) bool { return !t.Likelihood }

// likelihood reports whether data take part in a term of the log density.
func likelihood(t eval.Term) bool { return t.Likelihood }

// plainTerm restricts a choice of terms to those that are no factors.
func plainTerm(want func(eval.Term) bool) func(eval.Term) bool {
	return func(t eval.Term) bool { return t.Vars == nil && want(t) }
}

// counted is a product with an indicator, zero where that is zero even if the logarithm of
// an impossible value is not finite.
var counted = &autodiff.Op{
	Name: "counted",
	F2: func(w, x float64) float64 {
		if w == 0 {
			return 0
		}
		return w * x
	},
	D2: func(w, x, _ float64) (float64, float64) { return x, w },
}
