// The corpus of good programs again, with long data: what the compiler does from some sizes on is seen on programs that people write.

package bind_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// TestLongCorpus: with sizes of 33 to 36 both evaluators agree, in every program of the corpus that has sizes in its data and takes these.
func TestLongCorpus(t *testing.T) {
	files, err := filepath.Glob(corpus + "/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s (%v)", corpus, err)
	}
	lib := stdlib.New()
	compared := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := bindtest.Compile(file, string(text), filepath.Dir(file), lib)
		if err != nil {
			t.Fatal(err)
		}
		integer := func(v *ir.Var) bool { return v.Type.Base == types.IntBase && v.Type.Dims == 0 }
		if !slices.ContainsFunc(p.Data, integer) || strings.HasPrefix(filepath.Base(file), "discrete_hidden_markov") {
			continue // without sizes, or with 35 x 35 states a step, which the interpreter sums in 18 s
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			finite, err := longAgrees(p, lib)
			if err != nil {
				t.Error(err)
			}
			if finite > 0 {
				compared++
			}
		})
	}
	t.Logf("%d programs compared", compared)
	if compared < 50 {
		t.Errorf("only %d programs had a density to compare", compared)
	}
}

// longAgrees compares the evaluators of a program at three points, and counts those where there is a density.
func longAgrees(p *ir.Program, lib *stdlib.Library) (finite int, err error) {
	r := rand.New(rand.NewPCG(33, 36))
	in, err := randomDataOfSizes(p, lib, r, 33, 36)
	if err != nil {
		return 0, err
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Seed: 1})
	if err != nil {
		return 0, nil // data that the program does not take: sizes that depend on each other
	}
	e, q := m.NewEvaluator(), make([]float64, m.Dim())
	for range 3 {
		for i := range q {
			q[i] = 2*r.Float64() - 1
		}
		if err := agree(m, q, 0); err != nil {
			return finite, err
		}
		if _, err := e.LogDensity(q); err == nil {
			finite++
		}
	}
	return finite, nil
}
