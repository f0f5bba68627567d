// Sums of which few summands change from one to the next.

package eval

// A sumTree adds up values in pairs, the sums in pairs, and so on. Where a summand changes,
// only the sums above it are made anew, so that the joint density of a change point and T
// observations takes T log T additions for all of its T values, and not T^2.
type sumTree struct {
	add     func(x, y *Value) *Value
	levels  [][]*Value // the summands; their sums; the last has one
	changed []int      // summands since the last total, in order
}

// newSumTree makes a tree of n summands, at least one, all to be set.
func newSumTree(n int, add func(x, y *Value) *Value) *sumTree {
	t := &sumTree{add: add}
	for ; ; n = (n + 1) / 2 {
		t.levels = append(t.levels, make([]*Value, n))
		if n == 1 {
			return t
		}
	}
}

// set changes summand k; it reports whether it was another one. Summands are set in order.
func (t *sumTree) set(k int, v *Value) bool {
	if t.levels[0][k] == v {
		return false
	}
	t.levels[0][k] = v
	t.changed = append(t.changed, k)
	return true
}

// total is the sum.
func (t *sumTree) total() *Value {
	for l, below := range t.levels[:len(t.levels)-1] {
		up := t.changed[:0]
		for _, k := range t.changed {
			if k /= 2; len(up) > 0 && up[len(up)-1] == k {
				continue
			}
			up = append(up, k)
			sum := below[2*k]
			if 2*k+1 < len(below) {
				sum = t.add(sum, below[2*k+1])
			}
			t.levels[l+1][k] = sum
		}
		t.changed = up
	}
	t.changed = t.changed[:0]
	return t.levels[len(t.levels)-1][0]
}
