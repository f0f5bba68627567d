package main

// This file holds classes with conjugate posteriors, in closed form, and what the same models
// become under other priors.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// meanOf is the posterior of a location with prior d, given independent y with the log density
// f(y, mu), whose width is s.
func meanOf(name string, d dist, y []float64, s float64, f func(y, mu float64) float64) []moment {
	centre, width := d.about()
	lo, hi := centre-width, centre+width
	peaks := []peak{{centre, width}}
	for _, v := range y {
		lo, hi = min(lo, v), max(hi, v)
		peaks = append(peaks, peak{v, s})
	}
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	if len(y) > 12 {
		peaks = peaks[:1]
	}
	peaks = append(peaks, peak{mean, s / math.Sqrt(float64(len(y)))})
	far := 2000 * (hi - lo + width + s)
	if d.name == "uniform" {
		lo, hi, far = d.args[0], d.args[1], 0
	}
	return line(name, func(mu float64) float64 {
		v := d.log(mu)
		for _, x := range y {
			v += f(x, mu)
		}
		return v
	}, lo-far, hi+far, peaks...)
}

func normalLog(x, m, s float64) float64 {
	z := (x - m) / s
	return -z*z/2 - math.Log(s)
}

func cauchyLog(x, m, s float64) float64 {
	z := (x - m) / s
	return -math.Log1p(z*z) - math.Log(s)
}

func studentLog(nu, x, m, s float64) float64 {
	z := (x - m) / s
	return -(nu+1)/2*math.Log1p(z*z/nu) - math.Log(s)
}

// normalMean is a normal mean with known standard deviation, in units of unit.
func normalMean(w *writer, unit float64, most int) *problem {
	n, s := w.within(1, most), unit*w.scale(0.5, 2)
	prior := gaussian(rounded(w.normal(0, unit), 3), unit*w.scale(0.5, 5))
	y := w.normals(n, w.normal(prior.args[0], prior.args[1]), s)
	w.vector("y", y)
	w.real("mu", prior)
	w.observe("y", "normal", "mu", num(s))
	x := mat.NewDense(n, 1, same(n, 1))
	post, _ := independent(prior.args[:1], prior.args[1:]).given(x, y, same(n, s))
	mean, variance := post.parts()
	other := w.location(rounded(prior.args[0]+w.normal(0, 0.5*prior.args[1]), 3), rounded(prior.args[1]*w.scale(0.4, 2), 3), true)
	return &problem{Exact: of([]string{"mu"}, mean, variance), Swap: &swap{
		"mu ~ " + other.String() + ";",
		meanOf("mu", other, y, s, func(y, mu float64) float64 { return normalLog(y, mu, s) }),
	}}
}

// normalBoth is a normal with unknown mean and variance, and the conjugate prior; of least to most values.
func normalBoth(w *writer, unit float64, least, most int) *problem {
	n := w.within(least, most)
	y := w.normals(n, w.normal(0, 3*unit), unit*w.scale(0.5, 2))
	a, b, k, m0 := w.uniform(3, 5), w.uniform(1, 4)*unit*unit, w.scale(0.1, 1), rounded(w.normal(0, unit), 3)
	w.vector("y", y)
	w.param("real mu")
	w.positive("v", inverseGamma(a, b))
	w.line("mu ~ normal(%s, sqrt(v / %s));", num(m0), num(k))
	w.observe("y", "normal", "mu", "sqrt(v)")
	mean, ss := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(n)
	}
	for _, v := range y {
		ss += (v - mean) * (v - mean)
	}
	kn := k + float64(n)
	an := a + float64(n)/2
	bn := b + ss/2 + k*float64(n)*(mean-m0)*(mean-m0)/(2*kn)
	ev := bn / (an - 1)
	return &problem{Exact: of([]string{"mu", "v"}, []float64{(k*m0 + float64(n)*mean) / kn, ev}, []float64{ev / kn, ev * ev / (an - 2)})}
}

// betaMoments are those of a beta.
func betaMoments(name string, a, b float64) []moment {
	return of([]string{name}, []float64{a / (a + b)}, []float64{a * b / ((a + b) * (a + b) * (a + b + 1))})
}

// proportion is a binomial proportion; extreme makes all trials end alike.
func proportion(w *writer, extreme bool) *problem {
	n, prior := w.within(3, 60), betaDist(w.uniform(1, 4), w.uniform(1, 4))
	y := w.binomial(n, w.uniform(0.1, 0.9))
	if extreme {
		prior = betaDist(1, w.uniform(1, 3))
		y = 0
	}
	w.whole("trials", n)
	w.unit("theta", prior)
	if w.coin() {
		w.whole("y", y)
		w.line("y ~ binomial(trials, theta);")
	} else {
		x := make([]int, n)
		for i := range y {
			x[i] = 1
		}
		w.counts("x", x)
		w.observe("x", "bernoulli", "theta")
	}
	other := betaDist(w.uniform(1, 6), w.uniform(1, 6))
	return &problem{
		Exact: betaMoments("theta", prior.args[0]+float64(y), prior.args[1]+float64(n-y)),
		Swap:  &swap{"theta ~ " + other.String() + ";", betaMoments("theta", other.args[0]+float64(y), other.args[1]+float64(n-y))},
	}
}

// rate is a Poisson or exponential rate with a gamma prior of shape a.
func rate(w *writer, a float64, zero bool) *problem {
	n, b := w.within(1, 30), w.scale(0.3, 3)
	lambda := w.scale(0.5, 8)
	w.positive("lambda", gamma(a, b))
	sum, count := 0.0, 0.0
	if zero || w.coin() {
		y := make([]int, n)
		for i := range y {
			if !zero {
				y[i] = w.poisson(lambda)
			}
			sum += float64(y[i])
		}
		w.counts("y", y)
		w.observe("y", "poisson", "lambda")
		count = float64(n)
	} else {
		y := make([]float64, n)
		for i := range y {
			y[i] = rounded(w.r.ExpFloat64()/lambda, 6)
			count += y[i]
		}
		w.vector("y", y)
		w.observe("y", "exponential", "lambda")
		sum = float64(n)
	}
	exact := func(a, b float64) []moment {
		return of([]string{"lambda"}, []float64{(a + sum) / (b + count)}, []float64{(a + sum) / ((b + count) * (b + count))})
	}
	p := &problem{Exact: exact(a, b)}
	if !w.rates["lambda"] {
		other := gamma(w.uniform(1, 5), w.scale(0.3, 3))
		p.Swap = &swap{"lambda ~ " + other.String() + ";", exact(other.args[0], other.args[1])}
	}
	return p
}

// simplex is a Dirichlet posterior: prior concentrations from lo to hi, and some counts.
func simplex(w *writer, lo, hi float64, counts int) *problem {
	k := w.within(3, 5)
	alpha, y := make([]float64, k), make([]int, k)
	total := 0.0
	for i := range alpha {
		alpha[i] = w.uniform(lo, hi)
	}
	for range counts {
		y[w.r.IntN(k)]++
	}
	w.counts("y", y)
	w.param("simplex[%d] theta", k)
	w.line("theta ~ dirichlet([%s]');", list(alpha...))
	w.line("y ~ multinomial(theta);")
	for i := range alpha {
		alpha[i] += float64(y[i])
		total += alpha[i]
	}
	mean, variance := make([]float64, k), make([]float64, k)
	for i, a := range alpha {
		mean[i], variance[i] = a/total, a*(total-a)/(total*total*(total+1))
	}
	return &problem{Exact: of(indexed("theta", k), mean, variance)}
}

// lines is linear regression with known noise; a large together makes its columns alike.
func lines(w *writer, together float64) *problem {
	n, d := w.within(8, 40), w.within(2, 4)
	rows, beta := make([][]float64, n), w.normals(d, 0, 1)
	y, s := make([]float64, n), w.scale(0.5, 2)
	x := mat.NewDense(n, d, nil)
	for i := range rows {
		rows[i] = w.normals(d, 0, 1)
		common := w.r.NormFloat64()
		for j := range rows[i] {
			rows[i][j] = rounded(rows[i][j]+together*common, 6)
			x.Set(i, j, rows[i][j])
			y[i] += rows[i][j] * beta[j]
		}
		y[i] = rounded(y[i]+w.normal(0, s), 6)
	}
	sd := w.scale(0.7, 4)
	w.vector("y", y)
	w.matrix("x", rows)
	w.param("vector[%d] beta", d)
	w.prior("beta", gaussian(0, sd))
	w.observe("y", "normal", "x[n] * beta", num(s))
	exact := func(m, sd float64) []moment {
		post, _ := independent(same(d, m), same(d, sd)).given(x, y, same(n, s))
		mean, variance := post.parts()
		return of(indexed("beta", d), mean, variance)
	}
	m2, sd2 := rounded(w.normal(0, 0.3), 3), w.scale(0.5, 3)
	return &problem{Exact: exact(0, sd), Swap: &swap{"beta ~ " + gaussian(m2, sd2).String() + ";", exact(m2, sd2)}}
}

// correlated is a normal of d numbers with correlation rho between neighbours and standard
// deviations that differ by powers of ten.
func correlated(w *writer, rho, decades float64) *problem {
	d := w.within(2, 6)
	mean, sd, rows := w.normals(d, 0, 2), make([]float64, d), make([][]float64, d)
	for i := range sd {
		sd[i] = rounded(math.Pow(10, w.uniform(-decades, decades)), 3)
		mean[i] = rounded(mean[i]*sd[i], 4)
	}
	variance := make([]float64, d)
	for i := range rows {
		rows[i] = make([]float64, d)
		for j := range rows[i] {
			rows[i][j] = sd[i] * sd[j] * math.Pow(rho, math.Abs(float64(i-j)))
		}
		variance[i] = rows[i][i]
	}
	w.vector("m", mean)
	w.matrix("V", rows)
	w.param("vector[%d] x", d)
	if w.coin() {
		w.line("x ~ multi_normal(m, V);")
	} else {
		w.line("target += multi_normal_lpdf(x | m, V);")
	}
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// missing has observations that are parameters, beside the mean of them all.
func missing(w *writer) *problem {
	n, k, s, sd := w.within(3, 20), w.within(1, 3), w.scale(0.5, 2), w.scale(1, 4)
	y := w.normals(n, w.normal(0, sd), s)
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.param("vector[%d] absent", k)
	w.observe("y", "normal", "mu", num(s))
	w.line("absent ~ normal(mu, %s);", num(s))
	post, _ := independent([]float64{0}, []float64{sd}).given(mat.NewDense(n, 1, same(n, 1)), y, same(n, s))
	mean, variance := post.parts()
	for range k {
		mean, variance = append(mean, mean[0]), append(variance, variance[0]+s*s)
	}
	return &problem{Exact: of(append([]string{"mu"}, indexed("absent", k)...), mean, variance)}
}

// sumRidge has two numbers of which the data tell the sum alone.
func sumRidge(w *writer) *problem {
	n, s, sd := w.within(5, 200), w.scale(0.1, 1), w.scale(1, 5)
	y := w.normals(n, w.normal(0, 2), s)
	w.vector("y", y)
	w.real("a", gaussian(0, sd))
	w.real("b", gaussian(0, sd))
	w.observe("y", "normal", "a + b", num(s))
	post, _ := independent([]float64{0, 0}, []float64{sd, sd}).given(mat.NewDense(n, 2, same(2*n, 1)), y, same(n, s))
	mean, variance := post.parts()
	return &problem{Exact: of([]string{"a", "b"}, mean, variance)}
}

// largeData has many observations.
func largeData(w *writer) *problem {
	n := w.within(1000, 3000)
	if w.coin() {
		p, prior := w.uniform(0.05, 0.95), betaDist(1, 1)
		y := w.binomial(n, p)
		w.whole("n", n)
		w.whole("y", y)
		w.unit("theta", prior)
		w.line("y ~ binomial(n, theta);")
		return &problem{Exact: betaMoments("theta", 1+float64(y), 1+float64(n-y))}
	}
	s, sd := w.scale(0.5, 2), w.scale(1, 5)
	y := w.normals(n, w.normal(0, 1), s)
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.observe("y", "normal", "mu", num(s))
	exact := func(m, sd float64) []moment {
		precision, sum := 1/(sd*sd)+float64(n)/(s*s), m/(sd*sd)
		for _, v := range y {
			sum += v / (s * s)
		}
		return of([]string{"mu"}, []float64{sum / precision}, []float64{1 / precision})
	}
	m2, s2 := rounded(w.normal(0, 0.5), 3), w.scale(0.2, 1)
	return &problem{Exact: exact(0, sd), Swap: &swap{fmt.Sprintf("mu ~ normal(%s, %s);", num(m2), num(s2)), exact(m2, s2)}}
}
