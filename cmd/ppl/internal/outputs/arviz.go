package outputs

// This file writes a fit as a Zarr store with the groups, dimensions and names that ArviZ
// gives them.

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/zarr"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// ZarrStore is its name in a fit's folder.
const ZarrStore = "draws.zarr"

// arvizNames are ArviZ's names of sampler columns; others lose their underscores.
var arvizNames = map[string]string{
	"accept_stat__": "acceptance_rate",
	"stepsize__":    "step_size",
	"treedepth__":   "tree_depth",
	"n_leapfrog__":  "n_steps",
	"divergent__":   "diverging",
}

// A constants group has one value a variable.
type constants struct {
	columns []string
	values  []float64
}

// An inferenceData is what goes into the store. Groups that are nil or empty are left out.
type inferenceData struct {
	posterior, warmup                           *draws.Draws // with sampler columns
	prior, priorPredictive, posteriorPredictive *draws.Draws
	observed, constant                          constants
	logLik                                      string                 // the variable that is a group of its own
	densityOf                                   map[string]bool        // the data that it holds densities of, as far as the program shows it
	logPrior                                    [][]float64            // of each draw of each chain; nil: not wanted
	whole                                       func(name string) bool // is declared to hold integers
	attributes                                  map[string]any
}

// write puts the store in its place, whole or not at all.
func (d *inferenceData) write(path string) error {
	temporary := path + ".new"
	if err := os.RemoveAll(temporary); err != nil {
		return err
	}
	if err := d.writeTo(temporary); err != nil {
		return errors.Join(err, os.RemoveAll(temporary))
	}
	if err := os.RemoveAll(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(temporary, path)
}

func (d *inferenceData) writeTo(path string) error {
	store, err := zarr.Create(path, d.attributes)
	if err != nil {
		return err
	}
	group := func(name string, arrays []zarr.Array) {
		if err == nil && len(arrays) > 0 {
			err = store.Group(name, d.attributes, arrays)
		}
	}
	for _, g := range []struct {
		prefix string
		table  *draws.Draws
	}{{"", d.posterior}, {"warmup_", d.warmup}} {
		if g.table == nil || g.table.Total() == 0 {
			continue
		}
		t := g.table.Balanced()
		first := 1 + len(t.Stats())
		isLogLik := func(name string) bool { return draws.Base(name) == d.logLik }
		posterior := d.table(t, places(t, first, len(t.Names()), func(name string) bool { return !isLogLik(name) }))
		if g.prefix == "" && d.logPrior != nil {
			posterior = append(posterior, d.lprior(t))
		}
		group(g.prefix+"posterior", posterior)
		group(g.prefix+"sample_stats", d.sampleStats(t, first))
		group(g.prefix+"log_likelihood", d.logLikelihood(t, places(t, first, len(t.Names()), isLogLik)))
	}
	group("posterior_predictive", d.table(d.posteriorPredictive, nil))
	group("prior", d.table(d.prior, nil))
	group("prior_predictive", d.table(d.priorPredictive, nil))
	group("observed_data", d.constants(d.observed))
	group("constant_data", d.constants(d.constant))
	if err != nil {
		return err
	}
	return store.Close()
}

// lprior is the log prior density as an array. It has the draws that all chains have.
func (d *inferenceData) lprior(t *draws.Draws) zarr.Array {
	a := zarr.Array{Name: "lprior", Type: zarr.Float64, Dims: []string{"chain", "draw"}, Shape: []int{t.Chains(), t.Len(0)}, Leading: 2}
	for _, x := range d.logPrior {
		a.X = append(a.X, x[:t.Len(0)]...)
	}
	return a
}

// logLikelihood returns the log densities of observations under the name of the variable that was observed,
// where there is one with as many elements, as ArviZ has them; of several the one whose density the program shows it to be.
func (d *inferenceData) logLikelihood(t *draws.Draws, at []int) []zarr.Array {
	if len(at) == 0 {
		return nil
	}
	names := draws.Picked(t.Names(), at)
	var fits, shown []draws.Variable
	for _, v := range draws.Variables(d.observed.columns) {
		if len(v.Columns) == len(at) {
			fits = append(fits, v)
			if d.densityOf[v.Name] {
				shown = append(shown, v)
			}
		}
	}
	if len(fits) > 1 {
		fits = shown
	}
	if len(fits) == 1 {
		names = slices.Clone(names)
		for i := range names {
			names[i] = d.observed.columns[fits[0].Columns[i]]
		}
	}
	return d.arrays(names, t.Chains(), t.Len(0), func(chain, draw, column int) float64 { return t.Row(chain, draw)[at[column]] })
}

// places are the columns from first to end with names that fit.
func places(t *draws.Draws, first, end int, fits func(name string) bool) []int {
	at := []int{}
	for i := first; i < end; i++ {
		if fits(t.Names()[i]) {
			at = append(at, i)
		}
	}
	return at
}

// table returns the arrays of some columns of a table; without places, of all but lp__.
func (d *inferenceData) table(t *draws.Draws, at []int) []zarr.Array {
	if t == nil {
		return nil
	}
	t = t.Balanced()
	if at == nil {
		at = places(t, 1, len(t.Names()), func(string) bool { return true })
	}
	return d.arrays(draws.Picked(t.Names(), at), t.Chains(), t.Len(0), func(chain, draw, column int) float64 { return t.Row(chain, draw)[at[column]] })
}

// arrays returns the variables of columns, with coordinates, as arrays over chains, draws
// and the variables' own dimensions.
func (d *inferenceData) arrays(columns []string, chains, n int, value func(chain, draw, column int) float64) []zarr.Array {
	var out []zarr.Array
	for _, v := range draws.Variables(columns) {
		a := zarr.Array{Name: arrayName(v.Name), Type: d.typeOf(v), Dims: []string{"chain", "draw"}, Shape: []int{chains, n}, Leading: 2}
		a.X = make([]float64, 0, chains*n*len(v.Columns))
		for c := range chains {
			for i := range n {
				for _, column := range v.Columns {
					a.X = append(a.X, value(c, i, column))
				}
			}
		}
		a.Type = storable(a)
		out = append(out, withDims(&a, v)...)
		out = append(out, a)
	}
	if len(out) == 0 {
		return nil
	}
	return append(out, counter("chain", chains), counter("draw", n))
}

// constants is arrays without chains and draws.
func (d *inferenceData) constants(c constants) []zarr.Array {
	var out []zarr.Array
	for _, v := range draws.Variables(c.columns) {
		a := zarr.Array{Name: arrayName(v.Name), Type: d.typeOf(v), X: draws.Picked(c.values, v.Columns)}
		a.Type = storable(a)
		out = append(out, withDims(&a, v)...)
		out = append(out, a)
	}
	return out
}

// withDims adds the variable's own dimensions to an array, and returns their coordinates.
func withDims(a *zarr.Array, v draws.Variable) []zarr.Array {
	var out []zarr.Array
	for k, size := range v.Dims {
		name := a.Name + "_dim_" + strconv.Itoa(k)
		a.Dims, a.Shape = append(a.Dims, name), append(a.Shape, size)
		out = append(out, counter(name, size))
	}
	return out
}

// sampleStats returns lp__ and the sampler's columns under ArviZ's names.
func (d *inferenceData) sampleStats(t *draws.Draws, first int) []zarr.Array {
	var out []zarr.Array
	for k, column := range t.Names()[:first] {
		name, ok := arvizNames[column]
		if !ok {
			name = strings.TrimSuffix(column, "__")
		}
		a := zarr.Array{Name: name, Type: zarr.Float64, Dims: []string{"chain", "draw"}, Shape: []int{t.Chains(), t.Len(0)}, Leading: 2}
		for c := range t.Chains() {
			for i := range t.Len(c) {
				a.X = append(a.X, t.Row(c, i)[k])
			}
		}
		switch {
		case column == "divergent__":
			a.Type = zarr.Bool
		case slices.Contains(countColumns, column):
			a.Type = zarr.Int64
		}
		a.Type = storable(a)
		out = append(out, a)
	}
	return append(out, counter("chain", t.Chains()), counter("draw", t.Len(0)))
}

// counter is a coordinate: 0, 1, ...
func counter(name string, n int) zarr.Array {
	a := zarr.Array{Name: name, Type: zarr.Int64, Dims: []string{name}, Shape: []int{n}}
	for i := range n {
		a.X = append(a.X, float64(i))
	}
	return a
}

// arrayName is the name of a variable as a folder: the slots of tuples stand behind a
// point, and the names of coordinates are taken.
func arrayName(name string) string {
	switch name = strings.ReplaceAll(name, ":", "."); name {
	case "chain", "draw":
		return name + "_"
	}
	return name
}

func (d *inferenceData) typeOf(v draws.Variable) zarr.Type {
	switch {
	case v.Complex:
		return zarr.Complex
	case v.Name == v.Base && d.whole(v.Base):
		return zarr.Int64
	}
	return zarr.Float64
}

// storable is the type of an array, or float64 where integers cannot hold its numbers.
func storable(a zarr.Array) zarr.Type {
	if a.Type != zarr.Complex && slices.ContainsFunc(a.X, notWhole) {
		return zarr.Float64
	}
	return a.Type
}
