// This file holds the last steps and the inverse Hessian that they imply.

package optimize

import (
	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// pair is a step and the change of the gradient of f along it.
type pair struct {
	s, y []float64
	rho  float64 // 1/y's
}

// history is a ring of pairs, the newest last.
type history struct {
	ring  []pair
	start int
	n     int
	alpha []float64
}

func newHistory(dim, size int) *history {
	h := &history{ring: make([]pair, size), alpha: make([]float64, size)}
	for i := range h.ring {
		h.ring[i] = pair{s: make([]float64, dim), y: make([]float64, dim)}
	}
	return h
}

func (h *history) len() int       { return h.n }
func (h *history) reset()         { h.start, h.n = 0, 0 }
func (h *history) at(i int) *pair { return &h.ring[(h.start+i)%len(h.ring)] }

// push adds the pair of two places unless its curvature is not positive.
func (h *history) push(from, to *place) {
	slot := h.at(h.n)
	floats.SubTo(slot.s, to.x, from.x)
	floats.SubTo(slot.y, to.g, from.g)
	sy := vec.Dot(slot.s, slot.y)
	if !(sy > 1e-12*vec.Dot(slot.y, slot.y)) {
		if h.n == len(h.ring) { // the oldest was overwritten
			h.start = (h.start + 1) % len(h.ring)
			h.n--
		}
		return
	}
	slot.rho = 1 / sy
	if h.n == len(h.ring) {
		h.start = (h.start + 1) % len(h.ring)
	} else {
		h.n++
	}
}

// multiply writes H g into out: the two-loop recursion.
func (h *history) multiply(g, out []float64) {
	copy(out, g)
	for i := h.n - 1; i >= 0; i-- {
		p := h.at(i)
		h.alpha[i] = p.rho * vec.Dot(p.s, out)
		vec.AddScaled(out, -h.alpha[i], p.y)
	}
	if h.n > 0 {
		p := h.at(h.n - 1)
		floats.Scale(1/(p.rho*vec.Dot(p.y, p.y)), out)
	}
	for i := range h.n {
		p := h.at(i)
		vec.AddScaled(out, h.alpha[i]-float64(p.rho*vec.Dot(p.y, out)), p.s)
	}
}
