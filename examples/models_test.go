package examples

// This file finds the example models and binds them to their data.

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang"
)

// withoutNative runs tests and benchmarks without machine code: go test ./examples -no-jit.
var withoutNative = flag.Bool("no-jit", false, "make no machine code")

// shared is a folder of reference data; where it is absent the test is skipped.
func shared(t testing.TB, folder string) string {
	t.Helper()
	root := os.Getenv("PPL_SHARED")
	if root == "" {
		root = filepath.Join("..", "shared")
	}
	if !filepath.IsAbs(root) {
		root = filepath.Join("..", root) // from the module's root
	}
	path := filepath.Join(root, folder)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("NOT TESTED: no reference data in %s; set PPL_SHARED to the folder that holds %s", path, folder)
	}
	return path
}

// compile compiles a model. Files it includes are beside it, or in include/ there.
func compile(t testing.TB, path string) *lang.Program {
	t.Helper()
	prog, err := lang.CompileFile(path, lang.Options{Include: []string{filepath.Join(filepath.Dir(path), "include")}})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return prog
}

// load compiles a model and binds it to a data file; an empty name means no data.
func load(t testing.TB, path, dataPath string) *lang.Model {
	t.Helper()
	prog := compile(t, path)
	if dataPath == "" {
		return bind(t, prog, nil)
	}
	in, err := prog.ReadDataFile(dataPath)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	model, err := prog.Bind(in, lang.BindOptions{Seed: 1, WithoutNative: *withoutNative})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return model
}

// bind binds a program to Go values.
func bind(t testing.TB, prog *lang.Program, vars map[string]any) *lang.Model {
	t.Helper()
	in, err := lang.Data(vars)
	if err != nil {
		t.Fatal(err)
	}
	model, err := prog.Bind(in, lang.BindOptions{Seed: 1, WithoutNative: *withoutNative})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return model
}

// A posterior is a folder of reference data and a model of it.
type posterior struct{ name, folder, model string }

func (p posterior) data() string { return filepath.Join(p.folder, "data.json") }

// posteriors lists the folders for which there is a model, ours or else a model.stan in
// the folder itself, little data first, and the names of those without one.
func posteriors(t testing.TB) (found []posterior, missing []string) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(shared(t, "posteriors"), "*", "data.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		p := posterior{folder: filepath.Dir(f), name: filepath.Base(filepath.Dir(f))}
		for _, m := range []string{filepath.Join("posteriors", p.name+".stan"), filepath.Join(p.folder, "model.stan")} {
			if _, err := os.Stat(m); err == nil && p.model == "" {
				p.model = m
			}
		}
		if p.model == "" {
			missing = append(missing, p.name)
			continue
		}
		found = append(found, p)
	}
	size := func(p posterior) int64 {
		info, err := os.Stat(p.data())
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	slices.SortFunc(found, func(a, b posterior) int { return cmp.Compare(size(a), size(b)) })
	return found, missing
}

// point returns coordinates uniform on (-radius, radius), the same at every call.
func point(n int, radius float64, stream uint64) []float64 {
	r := rng.New(1, rng.Init, stream, 0)
	q := make([]float64, n)
	for i := range q {
		q[i] = radius * (2*r.Float64() - 1)
	}
	return q
}

// base is a file's name without folder and suffix.
func base(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
