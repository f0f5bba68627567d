// Products of polynomials whose terms are of the same products of powers as those multiplied before:
// the elements of one node, as a rule, which differ in their coefficients alone.

package symbolic

const (
	// mostMisses is how often in a row a node's elements may be unlike the one before; then it is no
	// longer noted how they are multiplied.
	mostMisses = 8
	// mostPairs is of how many pairs of terms that is noted.
	mostPairs = 1 << 16
)

// A layout is how the last two polynomials of a node were multiplied: pair (i, j) of their terms,
// at i*len(b)+j, adds to term place of the result.
type layout struct {
	a, b   []int32 // their products of powers
	place  []int32
	out    []int32 // the result's products of powers
	sum    []float64
	misses int
	// simple is whether the square of such a polynomial has a term of its own for each pair of its
	// terms, so that (i, j) and (j, i) add the same to it.
	simple bool

	lookups int // how often two were multiplied term by term
}

// fits reports whether two polynomials are of the same products of powers.
func (t *layout) fits(a, b poly) bool {
	if len(t.place) == 0 || !same(t.a, a) || !same(t.b, b) {
		return false
	}
	t.misses = 0
	return true
}

func same(monos []int32, p poly) bool {
	if len(monos) != len(p) {
		return false
	}
	for i := range p {
		if monos[i] != p[i].mono {
			return false
		}
	}
	return true
}

// begin notes the factors of a multiplication; false where there are too many to be noted.
func (t *layout) begin(a, b poly) bool {
	t.drop()
	t.lookups++
	if t.misses++; t.misses > mostMisses || len(a)*len(b) > mostPairs {
		return false
	}
	for _, u := range a {
		t.a = append(t.a, u.mono)
	}
	for _, u := range b {
		t.b = append(t.b, u.mono)
	}
	return true
}

func (t *layout) drop() { t.a, t.b, t.place, t.out = t.a[:0], t.b[:0], t.place[:0], t.out[:0] }

// multiply multiplies two polynomials that fit, in the order in which terms would be added one by one.
func (x *expander) multiply(t *layout, a, b poly) poly {
	if cap(t.sum) < len(t.out) {
		t.sum = make([]float64, len(t.out))
	}
	sum := t.sum[:len(t.out)]
	clear(sum)
	for i := range a {
		c := a[i].coef
		if t.simple && &a[0] == &b[0] {
			places := t.place[i*len(b) : (i+1)*len(b)]
			sum[places[i]] = float64(c * c)
			for j := i + 1; j < len(b); j++ {
				sum[places[j]] = 2 * float64(c*b[j].coef)
			}
			continue
		}
		for j, k := range t.place[i*len(b) : (i+1)*len(b)] {
			sum[k] += float64(c * b[j].coef)
		}
	}
	out := x.room(len(sum))
	for k, v := range sum {
		if v != 0 {
			out = append(out, struct {
				mono int32
				coef float64
			}{t.out[k], v})
		}
	}
	return out
}
