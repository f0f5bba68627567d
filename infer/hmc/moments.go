// This file estimates variances and covariances as positions come in.

package hmc

// moments is Welford's running mean and scatter, of each coordinate or of all
// pairs.
type moments struct {
	dense   bool
	n       float64
	mean    []float64
	scatter []float64 // sum of squared deviations, or of their products row by row
	delta   []float64 // scratch
}

func newMoments(dim int, dense bool) *moments {
	size := dim
	if dense {
		size = dim * dim
	}
	return &moments{
		dense: dense, mean: make([]float64, dim), scatter: make([]float64, size), delta: make([]float64, dim),
	}
}

func (m *moments) reset() {
	m.n = 0
	clear(m.mean)
	clear(m.scatter)
}

func (m *moments) add(q []float64) {
	m.n++
	for i, x := range q {
		m.delta[i] = x - m.mean[i]
		m.mean[i] += m.delta[i] / m.n
	}
	if !m.dense {
		for i, x := range q {
			m.scatter[i] += float64(m.delta[i] * (x - m.mean[i]))
		}
		return
	}
	// delta * (x - mean) is symmetric: both factors are multiples of delta.
	shrink := (m.n - 1) / m.n
	for i, di := range m.delta {
		row := m.scatter[i*len(q) : (i+1)*len(q)]
		for j, dj := range m.delta {
			row[j] += float64(shrink * di * dj)
		}
	}
}

// regularized writes Stan's estimate to out: the sample (co)variance shrunk
// towards 1e-3 times the unit matrix, as if that had been seen five times. It
// reports false when there are too few positions.
func (m *moments) regularized(out []float64) bool {
	if m.n < 2 {
		return false
	}
	w := m.n / (m.n + 5)
	for i, s := range m.scatter {
		out[i] = w * s / (m.n - 1)
	}
	stride := 1
	if m.dense {
		stride = len(m.mean) + 1
	}
	for i := 0; i < len(out); i += stride {
		out[i] += 1e-3 * 5 / (m.n + 5)
	}
	return true
}
