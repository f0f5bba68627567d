package main

// This file simulates data that have a course in time.

import "math"

// renewal has six countries and a hundred days.
func renewal(s source) dataset {
	const countries, days, measures = 6, 100, 4
	hump := func(mean float64) []float64 {
		w := fill(days, func(i int) float64 { t := float64(i+1) / mean; return t * t * math.Exp(-3*t) })
		total := sum(w)
		return fill(days, func(i int) float64 { return w[i] / total })
	}
	serial := hump(6.5)
	deaths := fill(days, func(int) []int { return make([]int, countries) })
	x := make([][][]float64, countries)
	f := make([][]float64, countries)
	for m := range countries {
		f[m] = fill(days, func(i int) float64 { return 0.01 * hump(20)[i] })
		x[m] = fill(days, func(i int) []float64 {
			return fill(measures, func(k int) float64 {
				if i > 30+4*k+m {
					return 1
				}
				return 0
			})
		})
		cases := make([]float64, days)
		for i := range cases {
			cases[i] = 50
			if i >= 6 {
				cases[i] = 0
				for j := range i {
					cases[i] += 5 * logistic1(-0.5*sum(x[m][i])) * cases[j] * serial[i-j-1]
				}
			}
			mean := 0.0
			for j := range i {
				mean += cases[j] * f[m][i-j-1]
			}
			deaths[i][m] = s.poisson(mean)
		}
	}
	return dataset{"M": countries, "N": days, "P": measures, "deaths": deaths, "X": x, "f": f, "SI": serial}
}

func factors(s source) dataset {
	const steps, series, k = 150, 8, 2
	loadings, f := s.matrix(series, k), make([]float64, k)
	y := fill(steps, func(int) []float64 {
		f = fill(k, func(j int) float64 { return 0.8*f[j] + s.NormFloat64() })
		return fill(series, func(p int) float64 { return dot(loadings[p], f) + 0.5*s.NormFloat64() })
	})
	return dataset{"T": steps, "P": series, "K": k, "y": y}
}

func returns(s source) dataset {
	const steps = 1000
	sigma, last := 1.0, 0.0
	r := fill(steps, func(int) float64 {
		sigma = math.Sqrt(0.1 + 0.15*last*last + 0.75*sigma*sigma)
		last = sigma * s.NormFloat64() / math.Sqrt((s.ExpFloat64()+s.ExpFloat64()+s.ExpFloat64())/3)
		return last
	})
	return dataset{"T": steps, "r": r, "sigma1": 1.0}
}

func curve(s source) dataset {
	const n = 500
	x := fill(n, func(i int) float64 { return 2*float64(i)/(n-1) - 1 })
	y := fill(n, func(i int) float64 { return math.Sin(6*x[i]) + math.Exp(x[i]-1)*s.NormFloat64() })
	return dataset{"N": n, "M": 30, "L": 1.5, "x": x, "y": y}
}

func grid(s source) dataset {
	const n1, n2 = 25, 20
	at := func(n int) []float64 { return fill(n, func(i int) float64 { return 4 * float64(i) / float64(n) }) }
	x1, x2 := at(n1), at(n2)
	y := fill(n2, func(j int) []float64 {
		return fill(n1, func(i int) float64 { return math.Sin(x1[i])*math.Cos(x2[j]) + 0.2*s.NormFloat64() })
	})
	return dataset{"n1": n1, "n2": n2, "x1": x1, "x2": x2, "y": y}
}

func seasons(s source) dataset {
	const steps, period = 300, 12
	level, slope := 0.0, 0.01
	y := fill(steps, func(t int) float64 {
		slope += 0.002 * s.NormFloat64()
		level += slope + 0.05*s.NormFloat64()
		return level + math.Sin(2*math.Pi*float64(t)/period) + 0.2*s.NormFloat64()
	})
	return dataset{"T": steps, "S": period, "y": y}
}

func series(s source) dataset {
	const steps = 500
	e := s.normals(steps+4, 1)
	y := fill(steps, func(t int) float64 { return 1 + e[t+4] + 0.5*e[t+3] + 0.3*e[t+2] - 0.2*e[t+1] + 0.1*e[t] })
	return dataset{"Q": 4, "T": steps, "y": y}
}

// panel has 300 pairs of visits.
func panel(s source) dataset {
	const n = 300
	from := s.levels(n, 3)
	dt := fill(n, func(int) float64 { return 0.2 + 2*s.Float64() })
	to := fill(n, func(i int) int { return s.likely(from[i], 3, math.Exp(-dt[i]/2)) })
	for i := range from {
		if from[i] == 3 {
			to[i] = 3
		}
	}
	return dataset{"N": n, "from": from, "to": to, "dt": dt, "x": s.normals(n, 0.5)}
}

// concentrations has twelve subjects and eleven times.
func concentrations(s source) dataset {
	const subjects, times, fine = 12, 11, 200
	at := fill(times, func(i int) float64 { return 0.5 * float64(i+1) })
	doses := fill(subjects, func(int) float64 { return 20 + 10*s.Float64() })
	c := fill(subjects, func(i int) []float64 {
		v, ka := 2*math.Exp(0.2*s.NormFloat64()), math.Exp(0.2*s.NormFloat64())
		y, t := 0.0, 0.0
		return fill(times, func(k int) float64 {
			step := (at[k] - t) / fine
			for range fine {
				y += step * (doses[i]*ka/v*math.Exp(-ka*t) - 1.5*y/(v*(1+y)))
				t += step
			}
			return y * math.Exp(0.1*s.NormFloat64())
		})
	})
	return dataset{"S": subjects, "T": times, "times": at, "D": doses, "C": c}
}

// visits are two years of days, with waves of a week and of a year.
func visits(s source) dataset {
	const days, waves, changes = 730, 20, 25
	t := fill(days, func(i int) float64 { return float64(i) / days })
	x := fill(days, func(i int) []float64 {
		return fill(waves, func(k int) float64 {
			period, order := 365.25, k/2+1
			if k >= 14 {
				period, order = 7, k/2-6
			}
			return math.Sin(2*math.Pi*float64(order)*float64(i)/period + float64(k%2)*math.Pi/2)
		})
	})
	b := s.normals(waves, 0.1)
	y := fill(days, func(i int) float64 { return 0.3 + 0.4*t[i] - max(0, t[i]-0.5) + dot(x[i], b) + 0.05*s.NormFloat64() })
	same := func(n int, v float64) []float64 { return fill(n, func(int) float64 { return v }) }
	return dataset{"T": days, "K": waves, "S": changes, "t": t, "y": y, "X": x, "tau": 0.05, "sigmas": same(waves, 10),
		"t_change": fill(changes, func(i int) float64 { return 0.8 * float64(i+1) / changes }), "s_a": same(waves, 1), "s_m": same(waves, 0)}
}

func influenza(s source) dataset {
	const days, fine, people = 14, 100, 763.0
	sick, well := 1.0, people-1
	cases := fill(days, func(int) int {
		for range fine {
			caught := 1.7 * sick * well / people / fine
			well, sick = well-caught, sick+caught-0.5*sick/fine
		}
		return s.poisson(sick)
	})
	return dataset{"T": days, "ts": fill(days, func(i int) float64 { return float64(i + 1) }), "N": people,
		"y0": []float64{people - 1, 1, 0}, "cases": cases}
}

// decisions are walks between two bounds.
func decisions(s source) dataset {
	const n, subjects, step = 500, 10, 0.001
	drift := s.normals(subjects, 1)
	who, upper := s.levels(n, subjects), make([]int, n)
	rt := fill(n, func(i int) float64 {
		x, t := 0.75, 0.2
		for x > 0 && x < 1.5 {
			x += drift[who[i]-1]*step + math.Sqrt(step)*s.NormFloat64()
			t += step
		}
		if x > 1 {
			upper[i] = 1
		}
		return t
	})
	least := rt[0]
	for _, t := range rt {
		least = min(least, t)
	}
	return dataset{"N": n, "S": subjects, "subject": who, "upper_": upper, "rt": rt, "min_rt": least}
}
