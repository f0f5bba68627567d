// The log density along one coordinate, for slices: what does not depend on it is added
// up once, so that a point of a slice costs a few powers.

package conjugate

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// A section is the log density as a function of one number: coefficients, by a table,
// times the number's own products.
type section struct {
	number int
	table  *table
	own    []run // the ranges of power that each product has
	power  []power
	others *evaluation // of own
}

// sections prepares the coordinates of sliced blocks that have a number for their own.
func (a *analysis) sections() []*section {
	out := make([]*section, a.m.Dim)
	for _, c := range a.b.list {
		if c.Exact || c.p == nil { // drawn, or discrete
			continue
		}
		for _, k := range c.Coords {
			if i := a.b.valueOf[k]; i >= 0 && !a.bounds(c.p) {
				out[k] = a.section(i)
			}
		}
	}
	return out
}

func (a *analysis) section(number int) *section {
	marked := func(k int) bool { return k == number }
	s := &section{number: number}
	var known autodiff.Monomials
	type part struct {
		product int32
		sum     int32
		rest    []autodiff.Power
	}
	var parts []part
	for _, k := range a.x.with[number] {
		own, rest := a.x.split(a.x.list[k].powers, marked)
		sum, added := known.Find(own)
		if added {
			from := int32(len(s.power))
			s.power = a.x.appendPowers(s.power, own)
			s.own = append(s.own, run{from, int32(len(s.power))})
		}
		parts = append(parts, part{k, sum, slices.Clone(rest)})
	}
	s.table = a.x.newTable(len(s.own), len(parts))
	for _, p := range parts {
		s.table.add(int(p.sum), p.product, p.rest, 1)
	}
	s.table.done()
	s.others = a.x.evaluation(s.power)
	return s
}

// Section implements infer.Sections.
func (s *State) Section(c int, q []float64) (bool, error) {
	err := s.load(q)
	if err != nil || c >= len(s.b.sections) || s.b.sections[c] == nil {
		return false, err
	}
	s.along = s.b.sections[c]
	_, err = s.sums(s.along.table)
	return true, err
}

// LogSection implements infer.Sections.
func (s *State) LogSection(v float64) (float64, error) {
	a := s.along
	s.q[s.b.coordOf[a.number]] = v
	var logJ float64
	s.x[a.number], logJ = s.b.transforms[a.number].constrain(v)
	if s.checks != nil {
		if err := s.checks.Run(s.x); err != nil {
			return math.Inf(-1), err
		}
	}
	if err := s.evaluate(a.others); err != nil {
		return math.Inf(-1), err
	}
	total := logJ
	for i, coef := range s.tables[a.table].sum {
		if coef != 0 {
			total += float64(coef * s.product(a.power[a.own[i].from:a.own[i].to]))
		}
	}
	return total, nil
}

// LogJoint implements infer.Sections.
func (s *State) LogJoint(q []float64) (float64, error) {
	err := s.load(q)
	if err != nil {
		return math.NaN(), err
	}
	if s.b.total == nil {
		return s.e.LogDensity(q)
	}
	if s.checks != nil {
		if err := s.checks.Run(s.x); err != nil {
			return math.Inf(-1), err
		}
	}
	sum, err := s.sums(s.b.total)
	if err != nil {
		return math.NaN(), err
	}
	total := sum[0] + s.logJ
	for _, logJ := range s.simplexes {
		total += logJ
	}
	for k, l := range s.b.transforms {
		if i := s.b.coordOf[k]; i >= 0 {
			_, logJ := l.constrain(s.q[i])
			total += logJ
		}
	}
	return total, nil
}
