package symbolic

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestMonomials: products of powers get the numbers that a map gives them, however many there are.
func TestMonomials(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var m Monomials
	known := map[string]int32{}
	for range 20000 {
		powers := make([]Power, rng.IntN(4))
		for i := range powers {
			powers[i] = Power{int32(10*i + rng.IntN(10)), float64(rng.IntN(5) - 2)}
		}
		key := fmt.Sprint(powers)
		want, ok := known[key]
		if !ok {
			want = int32(len(known))
			known[key] = want
		}
		if id, added := m.Find(powers); id != want || added == ok {
			t.Fatalf("%v has number %d, new %v; want %d, new %v", powers, id, added, want, !ok)
		}
		for i := range powers { // what was found must not be the caller's
			powers[i].Atom = -1
		}
	}
}
