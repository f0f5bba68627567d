// Discrete numbers drawn one at a time, each by the factors that it is in.

package conjugate

// singles are the factors of each discrete parameter, with their operands.
type singles struct {
	products []int32 // those that an entry of a factor adds to
	power    []power // of these, one after the other
	runs     []run
	others   *evaluation
	of       [][]int32 // of each number: its factors
}

// newSingles makes the table of all factors.
func (x *products) newSingles(sel *Selector) *singles {
	t := &singles{of: make([][]int32, len(sel.count))}
	for f, vars := range sel.vars {
		for _, id := range vars {
			t.of[id] = append(t.of[id], int32(f))
		}
	}
	met := make([]bool, len(x.list))
	for _, c := range x.share {
		if met[c.Product] {
			continue
		}
		met[c.Product] = true
		t.products = append(t.products, c.Product)
		from := int32(len(t.power))
		t.power = x.appendPowers(t.power, x.list[c.Product].powers)
		t.runs = append(t.runs, run{from, int32(len(t.power))})
	}
	t.others = x.evaluation(t.power)
	return t
}

// OpenSites implements infer.Sites.
func (s *State) OpenSites(q []float64) (bool, error) {
	t := s.b.singles
	if t == nil || s.b.checks != nil {
		return false, nil
	}
	if err := s.load(q); err != nil {
		return false, err
	}
	return true, s.openFactors()
}

// openFactors evaluates the products that entries of factors have.
func (s *State) openFactors() error {
	t := s.b.singles
	if err := s.evaluate(t.others); err != nil {
		return err
	}
	if s.values == nil {
		s.values = make([]float64, len(s.b.products.list))
	}
	for i, r := range t.runs {
		s.values[t.products[i]] = s.product(t.power[r.from:r.to])
	}
	return nil
}

// LogSite implements infer.Sites.
func (s *State) LogSite(c int, v float64) float64 {
	p, sel := s.b.products, s.b.sel
	z := s.q[s.m.Dim:]
	id := c - s.m.Dim
	now := z[id]
	z[id] = v
	total := 0.0
	for _, f := range s.b.singles.of[id] {
		k := sel.entry(int(f), z)
		for _, t := range p.share[p.start[k]:p.start[k+1]] {
			total += float64(t.Coef * s.values[t.Product])
		}
	}
	z[id] = now
	return total
}

// MoveSite implements infer.Sites.
func (s *State) MoveSite(c int, v float64) { s.move(c, v) }
