// From a row back to the unconstrained point: constraining what Unconstrain gives must
// give the row again.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func TestUnconstrainInvertsConstrain(t *testing.T) {
	files, err := filepath.Glob(corpus + "/types_*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs (%v)", err)
	}
	lib := stdlib.New()
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := bindtest.Compile(file, string(text), filepath.Dir(file), lib)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range p.Parameters {
				if v.Type.Fields != nil || v.Type.Base.IsComplex() {
					t.Skip("tuples and complex numbers have no plain columns")
				}
			}
			r := rand.New(rand.NewPCG(5, 6))
			in, err := randomData(p, lib, r)
			if err != nil {
				t.Fatal(err)
			}
			m, err := bind.Bind(p, lib, in, bind.Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			roundTrip(t, m, p, r)
		})
	}
}

func roundTrip(t *testing.T, m *bind.Model, p *ir.Program, r *rand.Rand) {
	q := make([]float64, m.Dim())
	for i := range q {
		q[i] = r.NormFloat64()
	}
	row := make([]float64, len(m.Columns()))
	e := m.NewEvaluator()
	if err := e.Write(q, r, row); err != nil {
		t.Fatal(err)
	}
	values, err := fromRow(m, p, row)
	if err != nil {
		t.Fatal(err)
	}
	back, err := m.Unconstrain(values)
	if err != nil {
		t.Fatal(err)
	}
	again := make([]float64, len(row))
	if err := e.Write(back, r, again); err != nil {
		t.Fatal(err)
	}
	for i, name := range m.Columns() {
		if isParameter(p, name) && !close64(again[i], row[i], 1e-8*(1+math.Abs(row[i]))) {
			t.Errorf("%s: %v, after the way back and forth %v", name, row[i], again[i])
		}
	}
}

func isParameter(p *ir.Program, column string) bool {
	for _, v := range p.Parameters {
		if name, _, _ := strings.Cut(column, "."); name == v.Name {
			return true
		}
	}
	return false
}

// fromRow reads the parameters' columns as data: names end in their indices, data
// files have the last index fastest.
func fromRow(m *bind.Model, p *ir.Program, row []float64) (*data.Set, error) {
	set := &data.Set{Vars: map[string]*data.Value{}}
	at := map[string]map[string]float64{}
	for i, column := range m.Columns() {
		name, indices, _ := strings.Cut(column, ".")
		if !isParameter(p, column) {
			continue
		}
		v := set.Vars[name]
		if v == nil {
			v = &data.Value{Name: name, FirstReal: 0}
			set.Vars[name], at[name] = v, map[string]float64{}
			v.Dims = make([]int, strings.Count(column, "."))
		}
		at[name][indices] = row[i]
		if indices == "" {
			continue
		}
		for k, s := range strings.Split(indices, ".") {
			n, err := strconv.Atoi(s)
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", column, err)
			}
			v.Dims[k] = max(v.Dims[k], n)
		}
	}
	for name, v := range set.Vars {
		for i := range product(v.Dims) {
			v.X = append(v.X, at[name][indexText(v.Dims, i)])
		}
	}
	return set, nil
}

// indexText writes the indices of number i, in row-major order, joined by dots.
func indexText(dims []int, i int) string {
	parts := make([]string, len(dims))
	for k := len(dims) - 1; k >= 0; k-- {
		parts[k] = strconv.Itoa(i%dims[k] + 1)
		i /= dims[k]
	}
	return strings.Join(parts, ".")
}
