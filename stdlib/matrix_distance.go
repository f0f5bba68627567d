// Rows of distances between vectors.

package stdlib

import "math"

func distanceFunctions() []*Function {
	return []*Function{
		{
			Name:       "distance",
			Signatures: distanceSignatures("distance"),
			Doc:        "the Euclidean distance",
			Section:    "Reductions",
			Kernel: distanceKernel("distance", math.Sqrt, func(square, value float64) float64 {
				if value == 0 {
					return 0
				}
				return 0.5 / value
			}),
		},
		{
			Name:       "squared_distance",
			Signatures: append(distanceSignatures("squared_distance"), "real squared_distance(real x, real y)"),
			Doc:        "the squared Euclidean distance",
			Section:    "Reductions",
			Kernel: distanceKernel("squared_distance", func(s float64) float64 { return s },
				func(_, _ float64) float64 { return 1 }),
		},
	}
}

func distanceSignatures(name string) []string {
	var all []string
	for _, x := range []string{"vector", "row_vector"} {
		for _, y := range []string{"vector", "row_vector"} {
			all = append(all, "real "+name+"("+x+" x, "+y+" y)")
		}
	}
	return all
}

// distanceKernel is of(s) for the squared distance s, with derivative by(s, of(s)).
func distanceKernel(name string, of func(float64) float64, by func(s, value float64) float64) *Kernel {
	square := func(in []Tensor) float64 {
		s := 0.0
		for i, v := range in[0].X {
			d := v - in[1].X[i]
			s += d * d
		}
		return s
	}
	return &Kernel{
		Dims: func(in []Tensor) ([]int, error) {
			if n, m := len(in[0].X), len(in[1].X); n != m {
				return nil, sizeError(name, "the size of x", n, "the size of y", m)
			}
			return nil, nil
		},
		Value: func(in []Tensor, out, _ []float64) error {
			out[0] = of(square(in))
			return nil
		},
		VJP: func(in []Tensor, out, adj []float64, din [][]float64, _ []float64) {
			g := 2 * adj[0] * by(square(in), out[0])
			for i, v := range in[0].X {
				d := g * (v - in[1].X[i])
				if din[0] != nil {
					din[0][i] += d
				}
				if din[1] != nil {
					din[1][i] -= d
				}
			}
		},
	}
}
