// This file has the factors of single numbers whose full conditional has no known
// form: on a grid, or normal at the mode.

package cavi

import (
	"errors"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// gridFactor is a density of the free coordinate at points with weights.
type gridFactor struct {
	block   *infer.FactorBlock
	laplace bool
	read    *reader
	line    *line
	logq    []float64 // log density of the free coordinate at the line's points
	logJ    []float64 // log Jacobian there
	stats   []float64 // statistics there, point by point
	scratch []float64
	points  *points // of all grids of the fit; nil where nobody counts
	mode    float64 // of a Laplace factor
	sd      float64
}

// points counts what grids have evaluated. A density with kinks, or one that waves, takes all the panels there
// are in every cycle, and blocks that depend on each other may take thousands of these.
type points int

// dearPoints is how many a fit may have at full precision: some seconds.
const dearPoints = 2_000_000

// coarse reports whether integrals need no more than coarsely from now on.
func (p *points) coarse() bool { return p != nil && *p > dearPoints }

func newGrid(b *infer.FactorBlock, laplace bool) *gridFactor {
	return &gridFactor{block: b, laplace: laplace, read: newReader(b), scratch: make([]float64, len(b.Statistics))}
}

func (f *gridFactor) form() string {
	if f.laplace {
		return "laplace"
	}
	return "quadrature"
}

// logDensity is the function whose exponential the factor is proportional to.
func (f *gridFactor) logDensity(natural []float64) func(u float64) (float64, error) {
	return func(u float64) (float64, error) {
		logJ, err := f.read.at([]float64{u}, f.scratch)
		if err != nil {
			if infer.IsReject(err) {
				return math.Inf(-1), nil
			}
			return 0, err
		}
		lp := logJ
		for k, c := range natural {
			if c != 0 {
				lp += float64(c * f.scratch[k])
			}
		}
		return lp, nil
	}
}

func (f *gridFactor) set(natural []float64) error {
	start, scale := 0.0, 1.0
	if f.line != nil {
		start, scale = f.line.mode, f.line.scale
	}
	g := f.logDensity(natural)
	to, most := precision, mostPanels
	if f.points.coarse() {
		to, most = coarsely, fewPanels
	}
	l, err := integrateTo(to, most, g, start, scale)
	if err == nil && f.laplace {
		l, err = f.normalAt(g, l)
	}
	if errors.Is(err, errImproper) {
		return improperError(f.block, f.form(), "it has no finite integral")
	}
	if err != nil {
		return err
	}
	f.line = l
	if f.points != nil {
		*f.points += points(len(l.u))
	}
	return f.tabulate()
}

// rounding is the error of the log density at the mode, by rounding of the terms that add up to it.
func (f *gridFactor) rounding(natural []float64) float64 {
	if f.line == nil {
		return 0
	}
	if _, err := f.read.at([]float64{f.line.mode}, f.scratch); err != nil {
		return 0
	}
	size := 0.0
	for k, c := range natural {
		if c != 0 {
			size += abs(c * f.scratch[k])
		}
	}
	return size * 0x1p-52
}

// normalAt is the normal at the mode of l.
func (f *gridFactor) normalAt(g func(float64) (float64, error), l *line) (*line, error) {
	mode := l.mode
	var slope, curvature float64
	for range 4 { // Newton steps by differences; the last gives the curvature
		h := float64(l.scale * 1e-3)
		up, mid, down := l.at(mode+h), l.at(mode), l.at(mode-h)
		slope, curvature = (up-down)/(2*h), (up-2*mid+down)/(h*h)
		if l.err != nil {
			return nil, l.err
		}
		if !(curvature < 0) {
			return nil, improperError(f.block, "laplace", "its curvature at the mode is %g", curvature)
		}
		if step := -slope / curvature; math.Abs(step) < l.scale {
			mode += step
		}
	}
	f.mode, f.sd = mode, 1/math.Sqrt(-curvature)
	return integrate(func(u float64) (float64, error) {
		z := (u - mode) / f.sd
		return -z * z / 2, nil
	}, mode, f.sd)
}

// tabulate evaluates what expectations need at the line's points.
func (f *gridFactor) tabulate() error {
	l, n := f.line, len(f.block.Statistics)
	f.logq = make([]float64, len(l.u))
	f.logJ = make([]float64, len(l.u))
	f.stats = make([]float64, len(l.u)*n)
	for i, u := range l.u {
		f.logq[i] = l.logf[i] - l.logZ
		if l.weight[i] == 0 {
			continue
		}
		logJ, err := f.read.at([]float64{u}, f.stats[i*n:(i+1)*n])
		if err != nil {
			return err
		}
		f.logJ[i] = logJ
	}
	return nil
}

func (f *gridFactor) expect(out []float64) {
	n := len(out)
	for k := range out {
		out[k] = f.line.mean(func(i int) float64 { return f.stats[i*n+k] })
	}
}

func (f *gridFactor) entropy() float64 {
	return f.line.mean(func(i int) float64 { return f.logJ[i] - f.logq[i] })
}

// moments are those of the free coordinate.
func (f *gridFactor) moments(mean, sd []float64) {
	l := f.line
	mean[0] = l.mean(func(i int) float64 { return l.u[i] })
	sd[0] = math.Sqrt(l.mean(func(i int) float64 { return (l.u[i] - mean[0]) * (l.u[i] - mean[0]) }))
}

func (f *gridFactor) density() blockDensity {
	if f.laplace {
		return plainNormal{normal.NewDiagonal([]float64{f.mode}, []float64{f.sd})}
	}
	return newPieces(f.line, finePanels)
}

// pieces is a density whose logarithm is linear between points, and beyond them as in
// the outermost piece, or nothing where the support ends.
type pieces struct {
	u, logp []float64 // normalised
	slope   []float64 // from each point to the next
	cum     []float64 // probability below each point; then that below the tail's end, 1
	edge    [2]bool   // whether the support ends with the first and the last point
}

// newPieces drops points without density.
func newPieces(l *line, panels int) *pieces {
	p := &pieces{edge: l.edge}
	u, logf := l.fine(panels)
	for i, v := range logf {
		if !math.IsInf(v, -1) {
			p.u, p.logp = append(p.u, u[i]), append(p.logp, v)
		}
	}
	n := len(p.u)
	p.slope = make([]float64, n-1)
	for i := range p.slope {
		p.slope[i] = (p.logp[i+1] - p.logp[i]) / (p.u[i+1] - p.u[i])
	}
	// Tails that do not fall would have no integral; those of a grid always do.
	if !p.edge[0] {
		p.slope[0] = max(p.slope[0], 1e-300)
	}
	if !p.edge[1] {
		p.slope[n-2] = min(p.slope[n-2], -1e-300)
	}
	p.cum = make([]float64, n+1)
	top := p.logp[0]
	for _, v := range p.logp {
		top = max(top, v)
	}
	total := 0.0
	if !p.edge[0] {
		total = libm.Exp(p.logp[0]-top) / p.slope[0]
	}
	for i := range n {
		p.cum[i] = total
		if i < n-1 {
			total += float64(libm.Exp(p.logp[i]-top) * areaUnder(p.slope[i], p.u[i+1]-p.u[i]))
		}
	}
	if !p.edge[1] {
		total -= libm.Exp(p.logp[n-1]-top) / p.slope[n-2]
	}
	p.cum[n] = total
	for i := range p.cum {
		p.cum[i] /= total
	}
	for i := range p.logp {
		p.logp[i] -= top + libm.Log(total)
	}
	return p
}

// areaUnder is the integral of exp(s x) from 0 to w.
func areaUnder(s, w float64) float64 {
	if math.Abs(s*w) < 1e-8 {
		return w * (1 + float64(s*w/2))
	}
	return libm.Expm1(s*w) / s
}

// piece is the one that u lies in, by the point at its left.
func (p *pieces) piece(u float64) int {
	return min(max(sort.SearchFloat64s(p.u, u)-1, 0), len(p.slope)-1)
}

func (p *pieces) logDensity(free, grad []float64) float64 {
	i := p.piece(free[0])
	if grad != nil {
		grad[0] = p.slope[i]
	}
	if p.edge[0] && free[0] < p.u[0] || p.edge[1] && free[0] > p.u[len(p.u)-1] {
		return math.Inf(-1)
	}
	at := i // measured from the nearer end, so that tails begin at the last point
	if free[0] > p.u[i+1] {
		at = i + 1
	}
	return p.logp[at] + float64(p.slope[i]*(free[0]-p.u[at]))
}

func (p *pieces) draw(r *rand.Rand, free []float64) {
	v := 1 - r.Float64()
	n := len(p.u)
	k := sort.SearchFloat64s(p.cum, v) // the first point with at least that much below
	if k == 0 || k >= n {              // a tail of a probability below rounding
		free[0] = p.u[min(k, n-1)]
		return
	}
	// Within a piece the share below is linear in exp(slope*x).
	i := k - 1
	share, s, w := (v-p.cum[i])/(p.cum[k]-p.cum[i]), p.slope[i], p.u[k]-p.u[i]
	if math.Abs(s*w) < 1e-8 {
		free[0] = p.u[i] + float64(share*w)
		return
	}
	free[0] = p.u[i] + libm.Log1p(share*libm.Expm1(s*w))/s
}
