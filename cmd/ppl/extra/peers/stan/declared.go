package main

// This file simulates data from the comments at the head of a model, for models whose cost
// does not depend on how realistic their data are:
//
//	// N = 100; K = 3
//	// x ~ normal(N, K); y ~ poisson(N; 5)
//
// A name before "=" is a number. A name before "~" is an array: the sizes, as numbers or
// names, then, after a semicolon, the parameters of its distribution (see elements, arrays).

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// elements has, by name, the distributions of single elements; p are the parameters and i
// is the index of the element in its row of n.
var elements = map[string]func(s source, p []float64, i, n int) any{
	"bernoulli":   func(s source, p []float64, _, _ int) any { return s.bernoulli(p[0]) },
	"counts":      func(s source, p []float64, _, _ int) any { return int(p[0]) + s.IntN(int(p[1]-p[0])+1) },
	"exponential": func(s source, _ []float64, _, _ int) any { return 0.01 + s.ExpFloat64() },
	"grid": func(_ source, p []float64, i, n int) any {
		return p[0] + (p[1]-p[0])*float64(i)/float64(max(1, n-1))
	},
	"levels":    func(s source, p []float64, _, _ int) any { return 1 + s.IntN(int(p[0])) },
	"lognormal": func(s source, p []float64, _, _ int) any { return math.Exp(p[0] + p[1]*s.NormFloat64()) },
	"normal":    func(s source, _ []float64, _, _ int) any { return s.NormFloat64() },
	"poisson":   func(s source, p []float64, _, _ int) any { return s.poisson(p[0]) },
	"seq":       func(_ source, p []float64, i, _ int) any { return int(p[0]) + i },
	"uniform":   func(s source, p []float64, _, _ int) any { return p[0] + (p[1]-p[0])*s.Float64() },
}

// arrays has, by name, the distributions of whole rows or matrices, by their last size.
var arrays = map[string]func(s source, n int) any{
	"adjacency": adjacency,
	"distances": distances,
	"perms":     func(s source, n int) any { return fill(n, shifted(s.Perm(n))) },
	"simplex": func(s source, n int) any {
		w := fill(n, func(int) float64 { return 0.05 + s.ExpFloat64() })
		total := sum(w)
		return fill(n, func(i int) float64 { return w[i] / total })
	},
}

func shifted(x []int) func(int) int { return func(i int) int { return x[i] + 1 } }

// adjacency is the matrix of neighbours on a lattice of n cells, ten in a row.
func adjacency(_ source, n int) any {
	const row = 10
	near := func(i, j int) bool { return j == i+row || j == i+1 && j%row != 0 }
	return fill(n, func(i int) []int {
		return fill(n, func(j int) int {
			if near(i, j) || near(j, i) {
				return 1
			}
			return 0
		})
	})
}

// distances is the matrix of distances of n points in a square of side 3.
func distances(s source, n int) any {
	at := fill(n, func(int) [2]float64 { return [2]float64{3 * s.Float64(), 3 * s.Float64()} })
	return fill(n, func(i int) []float64 {
		return fill(n, func(j int) float64 { return math.Hypot(at[i][0]-at[j][0], at[i][1]-at[j][1]) })
	})
}

// declared returns the data that the comments at the head of model describe; the first number
// of the head is multiplied by scale.
func declared(model string, scale float64, s source) (dataset, error) {
	d := dataset{}
	for line := range strings.Lines(model) {
		text, ok := strings.CutPrefix(line, "// ")
		if !ok {
			break
		}
		for _, item := range statements(strings.TrimSpace(text)) {
			if err := declare(d, item, scale, s); err != nil {
				return nil, fmt.Errorf("%q: %w", item, err)
			}
		}
	}
	if len(d) == 0 {
		return nil, fmt.Errorf("no data are declared at its head")
	}
	return d, nil
}

// statements splits a line at the semicolons outside parentheses.
func statements(line string) []string {
	depth := 0
	return strings.FieldsFunc(line, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ';' && depth == 0
	})
}

func declare(d dataset, item string, scale float64, s source) error {
	if name, value, ok := strings.Cut(item, "="); ok {
		v := strings.TrimSpace(value)
		if n, err := strconv.Atoi(v); err == nil {
			if len(d) == 0 {
				n = int(math.Round(scale * float64(n)))
			}
			d[strings.TrimSpace(name)] = n
			return nil
		}
		x, err := strconv.ParseFloat(v, 64)
		d[strings.TrimSpace(name)] = x
		return err
	}
	name, rest, ok := strings.Cut(item, "~")
	kind, args, call := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rest), ")"), "(")
	if !ok || !call {
		return fmt.Errorf("want NAME = NUMBER or NAME ~ DISTRIBUTION(SIZES; PARAMETERS)")
	}
	first, second, _ := strings.Cut(args, ";")
	sizes, err := numbers(d, first)
	if err != nil {
		return err
	}
	parameters, err := numbers(d, second)
	if err != nil {
		return err
	}
	value, err := array(s, kind, sizes, parameters)
	d[strings.TrimSpace(name)] = value
	return err
}

func numbers(d dataset, list string) ([]float64, error) {
	var out []float64
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		if n, ok := d[word].(int); ok {
			out = append(out, float64(n))
			continue
		}
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func array(s source, kind string, sizes, parameters []float64) (any, error) {
	n := int(sizes[0])
	if whole, ok := arrays[kind]; ok && len(sizes) == 1 {
		return whole(s, n), nil
	}
	if len(sizes) > 1 {
		all := make([]any, n)
		for i := range all {
			var err error
			if all[i], err = array(s, kind, sizes[1:], parameters); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	element, ok := elements[kind]
	if !ok {
		return nil, fmt.Errorf("no distribution %q", kind)
	}
	return fill(n, func(i int) any { return element(s, parameters, i, n) }), nil
}
