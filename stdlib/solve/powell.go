// Powell's dogleg method.

package solve

import "math"

// Powell replaces x by a solution: it ends where the region of trust is less than relTol
// relative to x or the residual vanishes, and the norm of the residual must then be at
// most tol.
func (r *RootFinder) Powell(x []float64, relTol, tol float64, maxSteps int) error {
	for i := range r.scale {
		r.scale[i] = 0
	}
	radius := 0.0
	for range maxSteps {
		ok, err := r.jacobian(x)
		if err != nil {
			return err
		}
		norm := length(r.f)
		if math.IsInf(norm, 0) || math.IsNaN(norm) {
			return errorf("the algebraic equations are not finite at the point that was reached")
		}
		if norm == 0 {
			return nil
		}
		r.rescale()
		size := r.scaled(x)
		if radius == 0 {
			const first = 100
			radius = first * size
			if radius == 0 {
				radius = first
			}
		}
		if radius, err = r.trust(x, norm, radius, ok); err != nil {
			return err
		}
		if radius <= relTol*r.scaled(x) || length(r.move) == 0 {
			return r.accept(x, tol)
		}
	}
	if err := r.eq.Values(x, r.f); err != nil {
		return err
	}
	if length(r.f) <= tol {
		return r.accept(x, tol)
	}
	return errorf("maximum number of steps (%d) exceeded in the search for a root", maxSteps)
}

// accept looks at the residual where the search ended.
func (r *RootFinder) accept(x []float64, tol float64) error {
	ok, err := r.jacobian(x)
	if err != nil {
		return err
	}
	norm := length(r.f)
	if !(norm <= tol) {
		return errorf("the norm of the residual at the root that was found is %g, which is more than the function tolerance %g", norm, tol)
	}
	return r.polish(x, norm, ok)
}

// rescale measures each unknown by the greatest length of its column of the Jacobian.
func (r *RootFinder) rescale() {
	for j := range r.n {
		sum := 0.0
		for _, row := range r.rows {
			sum += float64(row[j] * row[j])
		}
		if sum = math.Sqrt(sum); sum == 0 && r.scale[j] == 0 {
			r.scale[j] = 1
		} else {
			r.scale[j] = math.Max(r.scale[j], sum)
		}
	}
}

// scaled is the norm of x in the scale.
func (r *RootFinder) scaled(x []float64) float64 {
	sum := 0.0
	for i, v := range x {
		v *= r.scale[i]
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// trust makes one step, trying ever smaller regions, and returns the next region.
func (r *RootFinder) trust(x []float64, norm, radius float64, ok bool) (float64, error) {
	for {
		r.dogleg(radius, ok)
		size := r.scaled(r.move)
		predicted := 0.0
		for i, row := range r.rows {
			v := r.f[i] + dotProduct(r.move, row[:r.n])
			predicted += float64(v * v)
		}
		predicted = 1 - predicted/(norm*norm)
		actual, err := r.attempt(x, r.move, 1)
		if err != nil {
			return 0, err
		}
		actual = 1 - float64(actual/norm*(actual/norm))
		ratio := 0.0
		if predicted > 0 {
			ratio = actual / predicted
		}
		switch {
		case ratio < 0.1:
			radius = 0.5 * math.Min(radius, size)
		case ratio >= 0.5:
			radius = math.Max(radius, 2*size)
		}
		if ratio > 1e-4 {
			copy(x, r.next)
			return radius, nil
		}
		if !(radius > 1e-16*r.scaled(x)) || radius < 1e-300 || length(r.move) == 0 {
			clear(r.move)
			return radius, nil
		}
	}
}

// dogleg fills move with the best step in the region along the path from the steepest
// descent to the Newton step.
func (r *RootFinder) dogleg(radius float64, ok bool) {
	newton := math.Inf(1)
	if ok {
		r.newtonStep()
		if newton = r.scaled(r.step); newton <= radius {
			copy(r.move, r.step)
			return
		}
	}
	// the steepest descent in the scaled unknowns, and its minimum
	clear(r.descent)
	for i, row := range r.rows {
		axpy(r.descent, -r.f[i], row[:r.n])
	}
	length2, curve := 0.0, 0.0
	for i, g := range r.descent {
		g /= r.scale[i]
		length2 += float64(g * g)
		r.descent[i] = g / r.scale[i]
	}
	for _, row := range r.rows {
		v := dotProduct(r.descent, row[:r.n])
		curve += float64(v * v)
	}
	if length2 == 0 {
		clear(r.move)
		if ok {
			copy(r.move, r.step)
			shrink(r.move, radius/newton)
		}
		return
	}
	cauchy := length2 / curve
	if long := cauchy * math.Sqrt(length2); long >= radius || !ok {
		copy(r.move, r.descent)
		shrink(r.move, math.Min(cauchy, radius/math.Sqrt(length2)))
		return
	}
	r.bend(radius, cauchy)
}

// bend fills move with the point of the second leg of the path at the given distance.
func (r *RootFinder) bend(radius, cauchy float64) {
	a, b, c := 0.0, 0.0, -radius*radius
	for i, g := range r.descent {
		p := float64(cauchy * g * r.scale[i])
		d := float64(r.step[i]*r.scale[i]) - p
		a += float64(d * d)
		b += float64(p * d)
		c += float64(p * p)
	}
	// the positive root of a*x^2 + 2*b*x + c
	root := math.Sqrt(math.Max(0, float64(b*b)-float64(a*c)))
	x := -c / (b + root)
	if b < 0 {
		x = (root - b) / a
	}
	for i, g := range r.descent {
		r.move[i] = float64(cauchy*g) + float64(x*(r.step[i]-float64(cauchy*g)))
	}
}

func shrink(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}
