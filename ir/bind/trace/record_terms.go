// Terms of the log density as nodes of a recording.

package trace

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// Total adds up those terms of the log density that are wanted.
func (r *Recorder) Total(terms []eval.Term, want func(eval.Term) bool) autodiff.Node {
	fixed := 0.0
	var refs []autodiff.Ref
	for _, t := range terms {
		if !want(t) {
			continue
		}
		if ref := t.Value.Ref(0); ref.Node != autodiff.None {
			x, c := r.Graph.SplitConstant(r.Graph.Elem(ref.Node, int(ref.Elem)))
			refs = append(refs, autodiff.Ref{Node: x})
			fixed += c
		} else {
			fixed += t.Value.X[0]
		}
	}
	if len(refs) == 0 {
		return r.Graph.Scalar(fixed)
	}
	return r.Graph.Map(autodiff.Add, 1, r.Graph.Scalar(fixed), r.Graph.Sum(r.Graph.Gather(refs)))
}

// All takes every term of the log density.
func All(eval.Term) bool { return true }

// Point makes the value of the unconstrained vector.
func Point(q []float64, node autodiff.Node) *eval.Value {
	v := eval.NewValue(types.Vector, []int{len(q)}, append([]float64(nil), q...))
	v.Node = node
	return v
}

// SumOut makes the terms of the log density that remain when the discrete parameters
// are summed out.
func SumOut(em *eval.Machine) ([]eval.Term, error) {
	terms, _, err := em.SumOut(em.Factors())
	return terms, err
}

// Indicators are where in a graph's input those of each discrete number stand: one for each of its values, so that they do not depend on which
// factors there are at a point.
type Indicators struct{ First, Count []int }

// IndicatorsOf are those of a machine's discrete numbers, from off on.
func IndicatorsOf(em *eval.Machine, off int) Indicators {
	var at Indicators
	_, at.Count = em.Discrete()
	for _, n := range at.Count {
		at.First = append(at.First, off)
		off += n
	}
	return at
}

// Joint makes the node of the joint log density of plain terms and factors.
func (r *Recorder) Joint(terms []eval.Term, at Indicators) autodiff.Node {
	var plain []eval.Term
	total := autodiff.None
	for _, t := range terms {
		if t.Vars == nil {
			plain = append(plain, t)
			continue
		}
		f := r.chosen(&t, at)
		if total == autodiff.None {
			total = f
		} else {
			total = r.Graph.Map(autodiff.Add, 1, total, f)
		}
	}
	sum := r.Total(plain, All)
	if total == autodiff.None {
		return sum
	}
	return r.Graph.Map(autodiff.Add, 1, sum, total)
}

// JointParts is joint with the terms that mention an observation apart.
func (r *Recorder) JointParts(terms []eval.Term, at Indicators) (p, l autodiff.Node) {
	p, l = r.Total(terms, plainTerm(Prior)), r.Total(terms, plainTerm(Likelihood))
	for i := range terms {
		t := &terms[i]
		if t.Vars == nil {
			continue
		}
		f := r.chosen(t, at)
		if Likelihood(*t) {
			l = r.Graph.Map(autodiff.Add, 1, l, f)
		} else {
			p = r.Graph.Map(autodiff.Add, 1, p, f)
		}
	}
	return p, l
}

// chosen is the entry of a factor that the indicators of its numbers name.
func (r *Recorder) chosen(t *eval.Term, at Indicators) autodiff.Node {
	n, each := len(t.Table), len(t.Table)
	w, x := autodiff.None, r.Graph.Gather(r.TableRefs(t.Table))
	for _, id := range t.Vars { // the last one changes fastest
		each /= at.Count[id]
		refs := make([]autodiff.Ref, n)
		for k := range refs {
			refs[k] = autodiff.Ref{Node: r.Graph.Input(), Elem: int32(at.First[id] + k/each%at.Count[id])}
		}
		if one := r.Graph.Gather(refs); w == autodiff.None {
			w = one
		} else {
			w = r.Graph.Map(autodiff.Mul, n, w, one)
		}
	}
	for _, v := range t.Table {
		if math.IsInf(v.X[0], 0) {
			return r.Graph.Sum(r.Graph.Map(counted, n, w, x))
		}
	}
	return r.Graph.Dot(w, x)
}

// TableRefs names the entries of a factor.
func (r *Recorder) TableRefs(table []*eval.Value) []autodiff.Ref {
	refs := make([]autodiff.Ref, len(table))
	for k, v := range table {
		if refs[k] = v.Ref(0); refs[k].Node == autodiff.None {
			refs[k] = autodiff.Ref{Node: r.Graph.Scalar(v.X[0])}
		}
	}
	return refs
}

// Parts returns log prior and log likelihood. With discrete parameters the likelihood is
// the marginal one, the sum over them of everything divided by that of the prior.
func (r *Recorder) Parts(em *eval.Machine) (p, l autodiff.Node, err error) {
	terms := em.Factors()
	if low, _ := em.Discrete(); low == nil {
		return r.Total(terms, Prior), r.Total(terms, Likelihood), nil
	}
	var priors []eval.Term
	for _, t := range terms {
		if Prior(t) {
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
	p = r.Total(priors, All)
	return p, r.Graph.Map(autodiff.Sub, 1, r.Total(whole, All), p), nil
}

func Prior(t eval.Term) bool { return !t.Likelihood }

// Likelihood reports whether data take part in a term of the log density.
func Likelihood(t eval.Term) bool { return t.Likelihood }

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

// ViewOf shares a contiguous run of a node with a value.
func ViewOf(v *eval.Value, node autodiff.Node, off int) {
	v.Refs = make([]autodiff.Ref, len(v.X))
	for i := range v.Refs {
		v.Refs[i] = autodiff.Ref{Node: node, Elem: int32(off + i)}
	}
}
