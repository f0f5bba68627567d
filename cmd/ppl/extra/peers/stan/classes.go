package main

// This file simulates data for the models in models/, one of each class that public Stan
// models have.

import (
	"math"
	"math/rand/v2"
	"os"
)

type dataset = map[string]any

// classes has, by the name of the model, who makes its data.
var classes = map[string]func(source) dataset{
	"bym2":                  areas,
	"brms_ar":               residuals,
	"brms_correlated":       slopes,
	"brms_splines":          splines,
	"capture_heterogeneity": captures,
	"covariance":            vectors,
	"covid_renewal":         renewal,
	"cox":                   survival,
	"dawid_skene":           raters,
	"dirichlet_multinomial": compositions,
	"dynamic_factor":        factors,
	"garch_t":               returns,
	"horseshoe":             sparse,
	"hsgp":                  curve,
	"irt_2pl":               answers,
	"irt_2pl_hier":          answers,
	"kronecker_gp":          grid,
	"lda":                   topics,
	"local_trend":           seasons,
	"markov_panel":          panel,
	"mixture_normals":       clusters,
	"moving_average":        series,
	"negbin_offset":         exposures,
	"neural_network":        images,
	"occupancy_species":     species,
	"ordered_groups":        ratings,
	"pk_subjects":           concentrations,
	"prophet":               visits,
	"sir_bdf":               influenza,
	"sir_rk45":              influenza,
	"softmax_regression":    choices,
	"weibull_censored":      survival,
	"wiener":                decisions,
	"wishart":               vectors,
	"zero_inflated":         zeros,
}

// simulated returns the data of one class, the same each time: those that the table has, or
// else those that the model declares.
func simulated(name, path string, scale float64) (dataset, error) {
	s := source{rand.New(rand.NewPCG(20, 26))}
	if simulate, ok := classes[name]; ok {
		return simulate(s), nil
	}
	model, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return declared(string(model), scale, s)
}

func answers(s source) dataset {
	const items, persons = 20, 500
	a, b, theta := exps(s.normals(items, 1), 0.3), s.normals(items, 1), s.normals(persons, 1)
	var ii, jj, y []int
	for j := range persons {
		for i := range items {
			ii, jj = append(ii, i+1), append(jj, j+1)
			y = append(y, s.bernoulli(logistic1(a[i]*(theta[j]-b[i]))))
		}
	}
	return dataset{"I": items, "J": persons, "N": len(y), "ii": ii, "jj": jj, "y": y}
}

// areas are cells of a grid of 30 by 30, neighbours share an edge or a corner.
func areas(s source) dataset {
	const side, n = 30, 900
	var node1, node2 []int
	for i := range n {
		for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}} {
			if x, y := i%side+step[0], i/side+step[1]; x < side && y < side {
				node1, node2 = append(node1, i+1), append(node2, y*side+x+1)
			}
		}
	}
	x := s.normals(n, 1)
	expected := fill(n, func(int) float64 { return 5 + 20*s.Float64() })
	y := fill(n, func(i int) int {
		smooth := math.Sin(float64(i%side)/5) * math.Cos(float64(i/side)/5)
		return s.poisson(expected[i] * math.Exp(0.2*x[i]+0.4*smooth+0.1*s.NormFloat64()))
	})
	return dataset{"N": n, "E": len(node1), "node1": node1, "node2": node2, "y": y, "expected": expected, "x": x, "scaling": 0.5}
}

func residuals(s source) dataset {
	const n, k, lags, length = 600, 3, 2, 20
	x, b := s.matrix(n, k), s.normals(k, 1)
	past := [lags]float64{}
	lag := make([]int, n)
	y := fill(n, func(i int) float64 {
		if i%length == 0 {
			past = [lags]float64{}
		}
		if i%length != length-1 {
			lag[i] = min(i%length+1, lags)
		}
		e := 0.5*past[0] + 0.2*past[1] + 0.5*s.NormFloat64()
		past[1], past[0] = past[0], e
		return 1 + dot(x[i], b) + e
	})
	return dataset{"N": n, "K": k, "Kar": lags, "Y": y, "X": x, "J_lag": lag}
}

func slopes(s source) dataset {
	const n, k, groups = 2000, 4, 100
	x, b := s.matrix(n, k), s.normals(k, 1)
	r, j := s.matrix(groups, 3), s.levels(n, groups)
	y := fill(n, func(i int) float64 {
		x[i][0] = 1
		g := r[j[i]-1]
		return dot(x[i], b) + g[0] + 0.5*g[1]*x[i][1] + 0.5*(g[2]+g[1])*x[i][2] + s.NormFloat64()
	})
	column := func(c int) []float64 { return fill(n, func(i int) float64 { return x[i][c] }) }
	return dataset{"N": n, "K": k, "N_1": groups, "M_1": 3, "Y": y, "X": x, "J_1": j,
		"Z_1_1": column(0), "Z_1_2": column(1), "Z_1_3": column(2)}
}

func splines(s source) dataset {
	const n, knots = 1000, 8
	waves := func(x []float64) [][]float64 {
		return fill(n, func(i int) []float64 {
			return fill(knots, func(k int) float64 { return math.Cos(float64(k+1)*x[i]) / float64(k+1) })
		})
	}
	x1, x2 := s.normals(n, 1), s.normals(n, 1)
	y := fill(n, func(i int) float64 { return math.Sin(2*x1[i]) + 0.5*x2[i] + 0.3*s.NormFloat64() })
	xs := fill(n, func(i int) []float64 { return []float64{x1[i], x2[i]} })
	return dataset{"N": n, "Ks": 2, "knots_1": knots, "knots_2": knots, "Y": y, "Xs": xs, "Zs_1_1": waves(x1), "Zs_2_1": waves(x2)}
}

// captures has 150 animals that were caught and 250 rows for those that were not.
func captures(s source) dataset {
	const seen, rows, occasions = 150, 400, 5
	y := fill(rows, func(i int) []int {
		history := make([]int, occasions)
		for i < seen && dot(asFloats(history), asFloats(history)) == 0 {
			p := logistic1(-1 + s.NormFloat64())
			history = fill(occasions, func(int) int { return s.bernoulli(p) })
		}
		return history
	})
	return dataset{"M": rows, "T": occasions, "y": y}
}

func asFloats(x []int) []float64 {
	return fill(len(x), func(i int) float64 { return float64(x[i]) })
}

func vectors(s source) dataset {
	const n, d = 200, 10
	mix, prior := s.matrix(d, d), s.matrix(d, d)
	y := fill(n, func(int) []float64 {
		z := s.normals(d, 1)
		return fill(d, func(i int) float64 { return 1 + dot(mix[i], z)/2 })
	})
	for i := range prior {
		prior[i] = make([]float64, d)
		prior[i][i] = 1
	}
	return dataset{"N": n, "D": d, "y": y, "S": prior}
}

func survival(s source) dataset {
	const n, d, hospitals = 1000, 4, 40
	x, b, u, h := s.matrix(n, d), s.normals(d, 0.5), s.normals(hospitals, 0.4), s.levels(n, hospitals)
	event := make([]int, n)
	t := fill(n, func(i int) float64 {
		dies := math.Pow(s.ExpFloat64()*math.Exp(-dot(x[i], b)-u[h[i]-1]), 1/1.5)
		ends := 0.01 + 3*s.Float64()
		if dies < ends {
			event[i] = 1
		}
		return 0.001 + min(dies, ends)
	})
	return dataset{"N": n, "D": d, "J": hospitals, "X": x, "t": t, "event": event, "hospital": h}
}

func raters(s source) dataset {
	const items, judges, k = 200, 10, 4
	y := fill(items, func(int) []int {
		truth := 1 + s.IntN(k)
		return fill(judges, func(int) int { return s.likely(truth, k, 0.6) })
	})
	beta := fill(k, func(i int) []float64 {
		return fill(k, func(j int) float64 {
			if i == j {
				return 4
			}
			return 1
		})
	})
	return dataset{"K": k, "I": items, "J": judges, "y": y, "alpha": fill(k, func(int) float64 { return 3 }), "beta": beta}
}

func compositions(s source) dataset {
	const n, k, d = 200, 10, 3
	x, b := s.matrix(n, d), s.matrix(k, d)
	y := fill(n, func(i int) []int {
		w := fill(k, func(j int) float64 { return math.Exp(dot(x[i], b[j])/2 + 0.3*s.NormFloat64()) })
		counts := make([]int, k)
		for range 100 {
			counts[s.choose(w)-1]++
		}
		return counts
	})
	return dataset{"N": n, "K": k, "D": d, "y": y, "X": x}
}

func images(s source) dataset {
	const n, d, k = 200, 50, 10
	x, y := s.matrix(n, d), s.levels(n, k)
	for i := range x {
		x[i][y[i]] += 2
	}
	return dataset{"N": n, "D": d, "H": 10, "K": k, "x": x, "y": y}
}

func choices(s source) dataset {
	const n, d, k = 1000, 6, 5
	x, b := s.matrix(n, d), s.matrix(k, d)
	y := fill(n, func(i int) int {
		return s.choose(fill(k, func(j int) float64 { return math.Exp(dot(x[i], b[j])) }))
	})
	return dataset{"N": n, "D": d, "K": k, "x": x, "y": y}
}

func ratings(s source) dataset {
	const n, k, groups, d = 2000, 11, 50, 3
	x, b, u, g := s.matrix(n, d), s.normals(d, 0.5), s.normals(groups, 0.7), s.levels(n, groups)
	y := fill(n, func(i int) int {
		return min(k, max(1, int(6+2*(dot(x[i], b)+u[g[i]-1]+s.NormFloat64()))))
	})
	return dataset{"N": n, "K": k, "J": groups, "D": d, "y": y, "group": g, "X": x}
}

func sparse(s source) dataset {
	const n, d = 100, 200
	x := s.matrix(n, d)
	y := fill(n, func(i int) int { return s.bernoulli(logistic1(2*x[i][0] - 2*x[i][1] + x[i][2])) })
	return dataset{"N": n, "D": d, "y": y, "x": x, "scale_global": 0.01, "slab_scale": 2.0, "slab_df": 4.0}
}

func clusters(s source) dataset {
	const n = 500
	y := fill(n, func(int) []float64 {
		c := float64(s.IntN(3) - 1)
		return []float64{4*c + s.NormFloat64(), 3*c*c + 0.5*s.NormFloat64()}
	})
	return dataset{"N": n, "D": 2, "K": 3, "y": y}
}

func exposures(s source) dataset {
	const n, d, buildings = 1000, 4, 30
	x, b, u, g := s.matrix(n, d), s.normals(d, 0.4), s.normals(buildings, 0.3), s.levels(n, buildings)
	exposure := fill(n, func(int) float64 { return 0.5 + s.Float64() })
	y := fill(n, func(i int) int {
		return s.poisson(exposure[i] * math.Exp(1+dot(x[i], b)+u[g[i]-1]+0.5*s.NormFloat64()))
	})
	return dataset{"N": n, "D": d, "J": buildings, "y": y, "exposure": exposure, "X": x, "building": g}
}

func zeros(s source) dataset {
	const n, d = 1000, 3
	x, b := s.matrix(n, d), s.normals(d, 0.4)
	y := fill(n, func(i int) int { return s.bernoulli(0.7) * s.poisson(math.Exp(1+dot(x[i], b))) })
	return dataset{"N": n, "D": d, "y": y, "X": x}
}

// species has 40 that were seen at 12 sites, and as many that may not have been.
func species(s source) dataset {
	const seen, sites, visits = 40, 12, 5
	x := fill(seen, func(int) []int {
		psi, theta := logistic1(s.NormFloat64()), logistic1(-0.5+s.NormFloat64())
		return fill(sites, func(int) int { return s.bernoulli(psi) * s.binomial(visits, theta) })
	})
	return dataset{"J": sites, "K": visits, "n": seen, "x": x, "S": 2 * seen}
}

func topics(s source) dataset {
	const docs, words, k, v = 25, 1500, 4, 50
	mixes := fill(docs, func(int) []float64 { return exps(s.normals(k, 1), 1.5) })
	kinds := fill(k, func(int) []float64 { return exps(s.normals(v, 1), 1.5) })
	doc := fill(words, func(n int) int { return 1 + n*docs/words })
	w := fill(words, func(n int) int { return s.choose(kinds[s.choose(mixes[doc[n]-1])-1]) })
	return dataset{"K": k, "V": v, "M": docs, "N": words, "w": w, "doc": doc,
		"alpha": fill(k, func(int) float64 { return 0.8 }), "beta": fill(v, func(int) float64 { return 0.8 })}
}
