// Finding effects in a recording.

package centring

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Finder is a recorder that notes which coordinates have densities with a location and a scale. It
// records for analysis: loops are unrolled.
type Finder struct {
	*trace.Recorder
	places    map[int32]place // by coordinate, the first density of each
	standard  map[int32]source.Span
	multiples []multiple
	calls     int // of transforms with an offset and a multiplier
}

// A place is the location and the scale of a coordinate.
type place struct {
	group
	location, scale autodiff.Ref
	ahead           autodiff.Ref // what the location has besides; node None: nothing
}

// A group identifies an effect: the statement or the call of a transform that all its coordinates come from, and the
// number of the effect among correlated ones.
type group struct {
	at      source.Span
	call    int
	row     int // of a triangular matrix, from 1; 0: there is none
	centred bool
}

func newPlace(of group, location, scale autodiff.Ref) place {
	return place{of, location, scale, autodiff.Ref{Node: autodiff.None}}
}

// NewFinder makes a finder of a recorder.
func NewFinder(r *trace.Recorder) *Finder {
	return &Finder{Recorder: r, places: map[int32]place{}, standard: map[int32]source.Span{}}
}

// Concerns reports whether a Finder analyses a function: a density with a location and a scale.
func Concerns(fn *stdlib.Function) bool {
	if d := fn.Density; d != nil && fn.Name == d.Name+"_lpdf" {
		return d.Standard || d.Location > 0
	}
	return fn.Name == "multi_normal_cholesky_lpdf" || fn.Name == "multi_normal_lpdf"
}

// Kernel implements eval.Recorder.
func (f *Finder) Kernel(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	x := f.Recorder.Kernel(at, fn, args, out)
	switch d := fn.Density; {
	case fn.Name == "multiply" && fn.Kernel != nil:
		f.triangular(args, x)
	case fn.Name == "diag_pre_multiply":
		f.scaled(args[0], args[1], x, func(i, rows int) int { return i % rows })
	case fn.Name == "diag_post_multiply":
		f.scaled(args[1], args[0], x, func(i, rows int) int { return i / rows })
	case !Concerns(fn):
	case d == nil:
		f.multivariate(at, fn, args)
	case d.Standard:
		f.note(at, args[0], nil, nil)
	default:
		f.note(at, args[0], args[d.Location], args[d.Location+1])
	}
	return x
}

// Transform implements eval.Recorder.
func (f *Finder) Transform(tr *stdlib.Transform, dims []int, free *eval.Value, args []*eval.Value, out *eval.Value, logJacobian float64) (x, logJ autodiff.Node) {
	x, logJ = f.Recorder.Transform(tr, dims, free, args, out, logJacobian)
	if tr.Name != "offset_multiplier" {
		return x, logJ
	}
	f.calls++
	for i := range free.X {
		if c, ok := f.coordinate(free, i); ok && f.varies(args[1], i) {
			f.places[c] = newPlace(group{call: f.calls}, f.number(args[0], i), f.number(args[1], i))
		}
	}
	return x, logJ
}

// note records a density of scalars with locations and scales; absent ones are 0 and 1.
func (f *Finder) note(at source.Span, y, location, scale *eval.Value) {
	for i := range y.X {
		c, ok := f.coordinate(y, i)
		if !ok {
			continue
		}
		switch {
		case scale == nil || f.is(location, i, 0) && f.is(scale, i, 1):
			f.standard[c] = at
		case f.varies(scale, i):
			f.add(c, newPlace(group{at: at, centred: true}, f.number(location, i), f.number(scale, i)))
		}
	}
}

func (f *Finder) add(c int32, p place) {
	if _, ok := f.places[c]; !ok {
		f.places[c] = p
	}
}

// multivariate records a multivariate normal density of vectors; the scale of an element is its standard deviation.
func (f *Finder) multivariate(at source.Span, fn *stdlib.Function, args []*eval.Value) {
	if !args[2].Active() || len(args[2].Dims) != 2 {
		return
	}
	g, n := f.Graph, args[2].Dims[0]
	scale := make([]autodiff.Ref, n)
	for i := range scale {
		variance := f.number(args[2], i*(n+1))
		if fn.Name == "multi_normal_cholesky_lpdf" {
			row := make([]autodiff.Ref, i+1)
			for k := range row {
				row[k] = f.number(args[2], k*n+i)
			}
			variance = autodiff.Ref{Node: g.Sum(g.Map(autodiff.Square, len(row), g.Gather(row)))}
		}
		scale[i].Node = g.Map(autodiff.Sqrt, 1, g.Elem(variance.Node, int(variance.Elem)))
	}
	for i := range args[0].X {
		if c, ok := f.coordinate(args[0], i); ok && g.Active(scale[i%n].Node) {
			f.add(c, newPlace(group{at: at, centred: true}, f.number(args[1], i%len(args[1].X)), scale[i%n]))
		}
	}
}

// coordinate returns the coordinate that element i of a value is, and reports whether it is one.
func (f *Finder) coordinate(v *eval.Value, i int) (int32, bool) {
	ref := v.Ref(i)
	if ref.Node == autodiff.None {
		return 0, false
	}
	ref = f.Graph.Source(ref.Node, int(ref.Elem))
	return ref.Elem, ref.Node == f.Graph.Input()
}

// number is a number of a value, which has one for all where it has one alone.
func (f *Finder) number(v *eval.Value, i int) autodiff.Ref {
	if len(v.X) == 1 {
		i = 0
	}
	if ref := v.Ref(i); ref.Node != autodiff.None {
		return f.Graph.Source(ref.Node, int(ref.Elem))
	}
	return autodiff.Ref{Node: f.Graph.Scalar(v.X[i])}
}

func (f *Finder) varies(v *eval.Value, i int) bool { return f.Graph.Active(f.number(v, i).Node) }

func (f *Finder) is(v *eval.Value, i int, want float64) bool {
	c, ok := f.Graph.ScalarValue(f.number(v, i).Node)
	return ok && c == want
}

// Effects returns the effects, ordered so that each follows the effects that its locations and scales depend on; nil where
// there are none. An effect whose location or scale depends on its own coordinates, as in a random walk, is
// left out.
func (f *Finder) Effects() *Effects {
	f.products()
	members := map[group][]int32{}
	for c, p := range f.places {
		members[p.group] = append(members[p.group], c)
	}
	var open []*effect
	for of, coords := range members {
		if of.row > 0 && len(coords) < leastGroups {
			continue
		}
		slices.Sort(coords)
		for _, own := range f.byScale(coords) {
			e := &effect{group: of, coords: own}
			for _, c := range own {
				e.location, e.scale = append(e.location, f.places[c].location), append(e.scale, f.places[c].scale)
			}
			f.addAhead(e)
			f.bound(e)
			e.depends = f.Graph.InputsOf(slices.Concat(e.location, e.scale))
			open = append(open, e)
		}
	}
	slices.SortFunc(open, func(a, b *effect) int { return int(a.coords[0] - b.coords[0]) })
	list := ordered(open)
	if len(list) == 0 {
		return nil
	}
	return newEffects(f.Graph, list)
}

// leastOfScale is how many coordinates must share a scale, on average, where those of a statement become an effect each
// scale: fewer hold too little information about it.
const leastOfScale = 4

// byScale splits coordinates by their scales, for which different centrings may be best.
func (f *Finder) byScale(coords []int32) [][]int32 {
	var order []autodiff.Ref
	parts := map[autodiff.Ref][]int32{}
	for _, c := range coords {
		scale := f.places[c].scale
		if _, known := parts[scale]; !known {
			order = append(order, scale)
		}
		parts[scale] = append(parts[scale], c)
	}
	if len(order)*leastOfScale > len(coords) {
		return [][]int32{coords}
	}
	var out [][]int32
	for _, scale := range order {
		out = append(out, parts[scale])
	}
	return out
}

// leastScale is added to scales, so that powers of one that underflows, as a spectral density far out does, are numbers. It
// leaves scales above 1e-24 as they are, and the change of variables is exact with any positive scale.
const leastScale = 1e-40

// bound keeps the scales of an effect positive.
func (f *Finder) bound(e *effect) {
	bounded := map[autodiff.Ref]autodiff.Ref{}
	for k, scale := range e.scale {
		b, ok := bounded[scale]
		if !ok {
			x := f.Graph.Elem(scale.Node, int(scale.Elem))
			b = autodiff.Ref{Node: f.Graph.Map(autodiff.Add, 1, x, f.Graph.Scalar(leastScale))}
			bounded[scale] = b
		}
		e.scale[k] = b
	}
}

// addAhead adds the contributions of the coordinates of other effects to locations.
func (f *Finder) addAhead(e *effect) {
	ahead := make([]autodiff.Ref, len(e.coords))
	for k, c := range e.coords {
		if ahead[k] = f.places[c].ahead; ahead[k].Node == autodiff.None {
			return
		}
	}
	sum := f.plus(f.Graph.Gather(e.location), f.Graph.Gather(ahead))
	for k := range e.location {
		e.location[k] = f.Graph.Source(sum, k)
	}
}

// ordered sorts effects topologically by dependence, and leaves out those on cycles.
func ordered(open []*effect) (done []*effect) {
	pending := map[int32]bool{}
	for _, e := range open {
		for _, c := range e.coords {
			pending[c] = true
		}
	}
	ready := func(e *effect) bool {
		return !slices.ContainsFunc(e.depends, func(c int32) bool { return pending[c] })
	}
	circular := func(e *effect) bool {
		return slices.ContainsFunc(e.depends, func(c int32) bool { return slices.Contains(e.coords, c) })
	}
	settle := func(e *effect) {
		for _, c := range e.coords {
			delete(pending, c)
		}
	}
	open = slices.DeleteFunc(open, func(e *effect) bool {
		if circular(e) {
			settle(e)
			return true
		}
		return false
	})
	for i := 0; i < len(open); {
		if e := open[i]; ready(e) {
			settle(e)
			done = append(done, e)
			open = slices.Delete(open, i, i+1)
			i = 0
			continue
		}
		i++
	}
	return done
}
