package main

// This file defines problems: programs with data whose posterior is known exactly.

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// A moment is the exact mean and standard deviation of a column of the draws.
type moment struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	// MeanOnly reports that draws of a good size do not tell the standard deviation: it has no
	// finite variance of its own, or belongs to an indicator, whose mean has it all.
	MeanOnly bool `json:"mean_only,omitempty"`
}

// A swap is a new prior, with the posterior under it.
type swap struct {
	Block string // as in prior_swap(...) { block }
	Exact []moment
}

// A problem is one instance of a class.
type problem struct {
	Class  string
	Number uint64
	Text   string
	Vars   map[string]any
	Exact  []moment
	// Improper reports that there is no posterior: no answer to it may be called good.
	Improper bool
	Swap     *swap // nil where the class has none
}

// A class makes problems of one kind.
type class struct {
	name string
	what string // in words
	// easy reports that there is one mode and nothing hard about the shape. A right answer that is
	// called bad or warned of is a false alarm there.
	easy bool
	make func(w *writer) *problem
}

// instance makes the problem of a number.
func (c *class) instance(number uint64) *problem {
	h := fnv.New64a()
	h.Write([]byte(c.name))
	w := &writer{r: rand.New(rand.NewPCG(h.Sum64(), number)), vars: map[string]any{}, rates: map[string]bool{}}
	p := c.make(w)
	p.Class, p.Number, p.Text, p.Vars = c.name, number, w.text(), w.vars
	return p
}

// A mixture accumulates a posterior from parts with weights: points of a rule of quadrature,
// or values of discrete parameters, with the moments of the columns in each part.
type mixture struct {
	logw           []float64
	mean, variance [][]float64
}

// add appends a part; variance is nil where the columns are constant in it.
func (m *mixture) add(logw float64, mean, variance []float64) {
	if math.IsNaN(logw) {
		panic("weight of a part is not a number")
	}
	if math.IsInf(logw, -1) {
		return
	}
	m.logw = append(m.logw, logw)
	m.mean, m.variance = append(m.mean, mean), append(m.variance, variance)
}

// moments are those of the whole; the names are of the columns.
func (m *mixture) moments(names ...string) []moment {
	most := math.Inf(-1)
	for _, w := range m.logw {
		most = max(most, w)
	}
	total := 0.0
	out := make([]moment, len(names))
	for i, lw := range m.logw {
		w := math.Exp(lw - most)
		total += w
		for j := range out {
			out[j].Mean += w * m.mean[i][j]
		}
	}
	for j := range out {
		out[j].Name = names[j]
		out[j].Mean /= total
	}
	for i, lw := range m.logw {
		w := math.Exp(lw-most) / total
		for j := range out {
			d := m.mean[i][j] - out[j].Mean
			out[j].SD += w * d * d
			if m.variance[i] != nil {
				out[j].SD += w * m.variance[i][j]
			}
		}
	}
	for j := range out {
		out[j].SD = math.Sqrt(out[j].SD)
	}
	return out
}

// of makes moments from means and variances.
func of(names []string, mean, variance []float64) []moment {
	out := make([]moment, len(names))
	for i, name := range names {
		out[i] = moment{Name: name, Mean: mean[i], SD: math.Sqrt(variance[i])}
	}
	return out
}

// meanOnly marks columns whose standard deviation is not compared.
func meanOnly(m []moment) []moment {
	for i := range m {
		m[i].MeanOnly = true
	}
	return m
}

// indexed are the columns name.1 to name.n.
func indexed(name string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s.%d", name, i+1)
	}
	return out
}
