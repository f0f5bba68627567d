// Changes of the order of a multistep method: what the history becomes.

package solve

// raise makes the history of order q that of order q+1. The highest derivative of the
// BDF's polynomial is estimated from the last correction.
func (m *multistep) raise() {
	q := m.q
	if m.adams {
		clear(m.z[q+1])
		return
	}
	// The new part is a polynomial with double root at the present time and roots at the
	// q-1 points before it, so that the fit there stays as it is.
	var l [maxOrders + 2]float64
	l[2] = 1
	product, old, sum := 1.0, 1.0, m.h
	alpha0, alpha1 := -1.0, 1.0
	for j := 1; j < q; j++ {
		sum += m.past[j+1]
		xi := sum / m.h
		product *= xi
		alpha0 -= 1 / float64(j+1)
		alpha1 += 1 / xi
		for i := j + 2; i >= 2; i-- {
			l[i] = float64(l[i]*old) + l[i-1]
		}
		old = xi
	}
	a := (-alpha0 - alpha1) / product
	top := m.z[q+1]
	for i, e := range m.saved {
		top[i] = a * e
	}
	for j := 2; j <= q; j++ {
		axpy(m.z[j], l[j], top)
	}
}

// lower makes the history of order q that of order q-1: it subtracts a multiple of a
// polynomial of degree q that vanishes where the formula of lower order fits.
func (m *multistep) lower() {
	q := m.q
	if q == 2 {
		return
	}
	var l [maxOrders + 2]float64
	sum := 0.0
	first := 2 // the multiplicity of the root at the present time
	if m.adams {
		first = 1
	}
	l[first] = 1
	for j := 1; j <= q-2; j++ {
		sum += m.past[j]
		xi := sum / m.h
		for i := j + first; i >= first; i-- {
			l[i] = float64(l[i]*xi) + l[i-1]
		}
	}
	if m.adams { // the polynomial is the integral of the one just made
		for j := q - 2; j >= 1; j-- {
			l[j+1] = float64(q) * l[j] / float64(j+1)
		}
	}
	for j := 2; j < q; j++ {
		axpy(m.z[j], -l[j], m.z[q])
	}
}
