// This file takes a search from a random start to its end.

package optimize

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
)

// Ascent is the result of Climb.
type Ascent struct {
	Result
	Start []float64 // where it began; nil if no start was found
}

// Climb finds a starting point as chain 0 would and maximises from there.
// observe, if not nil, sees each iterate. After an error the result is the best
// point so far, if any.
func Climb(t infer.Target, r *rand.Rand, in infer.Init, s Settings, observe func(Point)) (Ascent, error) {
	state := infer.State{Q: make([]float64, t.Dim())}
	if err := in.Start(t, 0, r, &state); err != nil {
		return Ascent{}, err
	}
	result, err := Maximize(t, state.Q, s, func(p Point) bool {
		if observe != nil {
			observe(p)
		}
		return true
	})
	return Ascent{Result: result, Start: state.Q}, err
}
