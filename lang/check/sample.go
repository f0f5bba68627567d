package check

// This file checks "~" statements.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/types"
)

func (c *checker) sample(s *ast.Sample) {
	if c.block != ast.ModelKind && !c.inFunction(LP) {
		c.errorf(s.Loc, msgTargetPlace, "\"~\"")
	}
	c.sampleMeans(s)
	c.observe(s.X)
}

// sampleMeans resolves the distribution of a "~" statement.
func (c *checker) sampleMeans(s *ast.Sample) {
	_, given := c.arguments(append([]ast.Expr{s.X}, s.Args...))
	lo, hi := c.truncation(s.Trunc)
	name := s.Dist.Name
	if stem := distStem(name); stem != name {
		c.errorf(s.Dist.Loc, msgDistSuffix).Help = "write " + stem
		return
	}
	best, mis := c.density(name, given)
	if best == nil {
		switch {
		case mis == nil:
			p := c.errorf(s.Dist.Loc, msgUnknownDist, name)
			p.Help = cmp.Or(c.distHelp(name), p.Help)
		default:
			p := c.mismatch(s.Loc, msgDistForm, name, true, given, mis)
			c.matrixHelp(p, name, given)
		}
		return
	}
	best.Unnormalized = true
	if best.User != nil {
		c.info.Uses[s.Dist] = best.User.Symbol
	}
	c.info.Samples[s] = best
	if s.Trunc != nil {
		c.truncated(s, best, given, lo, hi)
	}
}

// matrixHelp adds to a problem that the density takes the matrix as a vector, where that is
// all that was wrong.
func (c *checker) matrixHelp(p *problem.Problem, name string, given []types.Arg) {
	if p == nil || len(given) == 0 || !given[0].Type.Equal(types.Matrix) {
		return
	}
	asVector := slices.Clone(given)
	asVector[0].Type = types.Vector
	if best, _ := c.density(name, asVector); best != nil {
		p.Help = "to_vector(...) makes a vector of a matrix: to_vector(...) ~ " + name + "(...)"
	}
}

// distStem takes a density's suffix off a name.
func distStem(name string) string {
	for _, end := range []string{"_lpdf", "_lpmf", "_lupdf", "_lupmf", "_lcdf", "_lccdf", "_cdf", "_ccdf"} {
		if stem, ok := strings.CutSuffix(name, end); ok {
			return stem
		}
	}
	return name
}

// density finds the mass function or density of a distribution for the arguments
// (variate first). Both results are nil where the name stands for none.
func (c *checker) density(name string, given []types.Arg) (*Callee, *types.Mismatch) {
	var best *Callee
	var failed *types.Mismatch
	steps := 0
	for _, end := range []string{"_lpmf", "_lpdf"} {
		forms := c.forms(name + end)
		if len(forms) == 0 {
			continue
		}
		m, mis := types.Resolve(forms, given)
		switch {
		case mis != nil:
			if failed == nil || len(mis.Ambiguous) > 0 {
				failed = mis
			}
		case best == nil || m.Steps < steps:
			best, steps = c.newCallee(name+end, m, given), m.Steps
		}
	}
	return best, failed
}

// distHelp suggests a distribution.
func (c *checker) distHelp(name string) string {
	var stems []string
	for _, f := range c.info.Functions {
		if f.Suffix == LPDF || f.Suffix == LPMF {
			stems = append(stems, distStem(f.Name))
		}
	}
	for _, n := range c.lib.Names() {
		if s := suffixOf(n); s == LPDF || s == LPMF {
			stems = append(stems, distStem(n))
		}
	}
	return didYouMean(nearest(name, stems))
}

// truncation checks the bounds of T[lo, hi].
func (c *checker) truncation(t *ast.Truncation) (lo, hi *types.Arg) {
	if t == nil {
		return nil, nil
	}
	bound := func(x ast.Expr) *types.Arg {
		if x == nil {
			return nil
		}
		o := c.expr(x)
		if !o.bad() && !isIntOrReal(o.t) {
			c.errorf(x.Span(), msgTruncBound, o.t)
			o = badOperand
		}
		a := c.arg(x, o)
		return &a
	}
	return bound(t.Lo), bound(t.Hi)
}

// truncated finds the distribution functions at the bounds of a truncation. As in
// Stan both must exist, whichever bound is given.
func (c *checker) truncated(s *ast.Sample, density *Callee, given []types.Arg, lo, hi *types.Arg) {
	stem := distStem(density.Name)
	for _, bound := range []*types.Arg{lo, hi} {
		if bound == nil {
			continue
		}
		args := append([]types.Arg{*bound}, given[1:]...)
		for _, f := range []struct {
			end string
			out **Callee
		}{{"_lcdf", &density.Lcdf}, {"_lccdf", &density.Lccdf}} {
			forms := c.forms(stem + f.end)
			m, mis := types.Resolve(forms, args)
			if mis != nil {
				p := c.errorf(s.Trunc.Loc, msgTruncForm, s.Dist.Name, stem+f.end)
				for _, cand := range mis.Closest {
					p.Notes = append(p.Notes, problem.Note{Message: cand.Sig.String() + ": " + reason(cand, args)})
				}
				return
			}
			*f.out = c.newCallee(stem+f.end, m, args)
		}
	}
}
