package main

// This file holds the import table: which package may import which. A package without
// a row fails, too, so that a new one is put in its place on the day it is made.

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/seed-12b88e03/ppl"

// A row allows packages below this module, and packages of others. "x/..." stands for x
// and all below it.
type row struct {
	pkg    string
	ours   string
	others string
}

// importTable is read from the top; the first row that fits a package counts.
var importTable = []row{
	{"lang", "lang/... parser ir/... autodiff stdlib infer/... diagnose/...", ""},
	{"lang/source", "", ""},
	{"lang/problem", "lang/source", ""},
	{"lang/ast", "lang/source", ""},
	{"lang/types", "lang/source", ""},
	{"lang/check", "lang/source lang/problem lang/ast lang/types", ""},
	{"lang/format", "lang/source lang/ast", ""},
	{"parser", "lang/source lang/problem lang/ast", "github.com/alecthomas/participle/v2/..."},
	{"ir", "lang/source lang/types", ""},
	{"ir/data", "lang/types", ""},
	{"ir/eval", "ir ir/graph autodiff autodiff/libm stdlib stdlib/solve stdlib/variate lang/source lang/types", ""},
	{"ir/graph", "ir stdlib lang/source lang/types", ""},
	{"ir/lower", "ir lang/source lang/problem lang/ast lang/types lang/check stdlib", ""},
	{"ir/pass", "ir lang/source lang/problem lang/ast lang/types lang/check stdlib", ""},
	{"ir/lint", "ir/... lang/source lang/problem lang/ast lang/types lang/check stdlib", ""},
	{"infer/junction", "autodiff/libm infer/sparse", ""},
	{"infer/sparse", "autodiff/libm stdlib/variate", ""},
	{"ir/bind/trace", "ir ir/eval ir/pass lang/source lang/types autodiff autodiff/libm stdlib", ""},
	{"ir/bind/centring", "ir/eval ir/bind/trace lang/source autodiff stdlib", ""},
	{"ir/bind/solver", "ir ir/eval ir/bind/trace lang/source lang/types autodiff autodiff/libm stdlib stdlib/solve stdlib/special infer", ""},
	{"ir/bind/conjugate", "ir ir/eval ir/bind/trace lang/source lang/types autodiff autodiff/libm autodiff/vec/dense stdlib stdlib/variate infer infer/junction infer/sparse", ""},
	{"ir/bind/missing", "ir ir/eval ir/graph ir/pass lang/source lang/types stdlib", ""},
	{"ir/bind/swap", "ir ir/graph lang/source lang/types stdlib", ""},
	{"ir/bind", "ir/... lang/source lang/problem lang/ast lang/types lang/check autodiff autodiff/libm stdlib stdlib/special stdlib/solve stdlib/variate infer infer/draws infer/rng", ""},
	{"autodiff/vec", "", ""},
	{"autodiff/vec/dense", "autodiff/vec", ""},
	{"autodiff/native", "", ""},
	{"autodiff/mat", "autodiff/libm autodiff/vec autodiff/vec/dense", ""},
	{"autodiff/libm", "autodiff/vec", ""},
	{"autodiff/libm/cmplx", "autodiff/libm", ""},
	{"autodiff/internal/graph", "autodiff/vec autodiff/libm", ""},
	{"autodiff/internal/codegen", "autodiff/internal/graph autodiff/native autodiff/vec", ""},
	{"autodiff/internal/loop", "autodiff/internal/graph autodiff/internal/codegen autodiff/native", ""},
	{"autodiff/internal/grad", "autodiff/internal/graph autodiff/internal/loop", ""},
	{"autodiff/internal/opt", "autodiff/internal/graph autodiff/internal/codegen autodiff/internal/loop autodiff/native autodiff/vec", ""},
	{"autodiff/internal/nonfinite", "autodiff/internal/graph autodiff/internal/loop", ""},
	{"autodiff/internal/symbolic", "autodiff/internal/graph autodiff/libm", ""},
	{"autodiff/internal/batch", "autodiff/internal/graph autodiff/internal/codegen autodiff/internal/loop autodiff/internal/opt autodiff/native", ""},
	{"autodiff/internal/demand", "autodiff/internal/graph autodiff/internal/codegen autodiff/internal/loop autodiff/internal/grad autodiff/internal/opt autodiff/vec", ""},
	{"autodiff", "autodiff/internal/...", ""},
	{"stdlib/special", "autodiff/libm autodiff/vec", ""},
	{"stdlib/variate", "autodiff/libm autodiff/vec/dense", ""},
	{"stdlib/solve", "autodiff/libm autodiff/vec stdlib/special stdlib/variate", ""},
	{"stdlib/internal/catalogue", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate", ""},
	{"stdlib/internal/transform", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate stdlib/internal/catalogue", ""},
	{"stdlib/internal/container", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate stdlib/internal/catalogue stdlib/internal/transform", ""},
	{"stdlib/internal/mathfn", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate stdlib/internal/catalogue stdlib/internal/transform stdlib/internal/container", ""},
	{"stdlib/internal/matrixfn", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate stdlib/internal/catalogue stdlib/internal/transform stdlib/internal/container stdlib/internal/mathfn", ""},
	{"stdlib/internal/univariate", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate stdlib/internal/catalogue", ""},
	{"stdlib/internal/multivariate", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate stdlib/internal/catalogue stdlib/internal/transform stdlib/internal/container stdlib/internal/mathfn stdlib/internal/matrixfn stdlib/internal/univariate", ""},
	{"stdlib/internal/glm", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate stdlib/internal/catalogue stdlib/internal/transform stdlib/internal/container stdlib/internal/matrixfn stdlib/internal/univariate stdlib/internal/multivariate", ""},
	{"stdlib/internal/lowering", "autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/special stdlib/variate stdlib/internal/...", ""},
	{"stdlib", "lang/types autodiff autodiff/libm/... autodiff/mat autodiff/vec autodiff/vec/dense stdlib/internal/... stdlib/special stdlib/solve stdlib/variate", ""},
	{"infer", "autodiff/libm stdlib/variate infer/draws infer/rng", ""},
	{"infer/rng", "", ""},
	{"infer/vi", "infer/... autodiff/libm autodiff/mat autodiff/vec/... stdlib/special stdlib/variate", "gonum.org/v1/gonum/floats"},
	{"infer/mh", "infer/... autodiff/libm autodiff/mat autodiff/vec/... stdlib/special stdlib/variate", "gonum.org/v1/gonum/floats"},
	{"infer/...", "infer/... autodiff/libm autodiff/mat autodiff/vec/... stdlib/special stdlib/variate", "gonum.org/v1/gonum/floats"},
	{"diagnose/...", "infer/... diagnose/... autodiff/libm autodiff/mat autodiff/vec/... stdlib/special stdlib/variate", "gonum.org/v1/gonum/floats"},
	{"cmd/ppl/internal/cluster", "infer/disk", "github.com/nats-io/..."},
	{"cmd/ppl/internal/legs", "infer", ""},
	{"cmd/...", "...", "..."},
	{"examples/...", "...", "gonum.org/v1/gonum/..."},
}

// testSupport are packages that tests alone import; they may import anything below cmd.
var testSupport = []string{"ir/bind/bindtest", "infer/infertest", "infer/infertest/subset"}

// fits reports whether a package is among patterns.
func fits(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		base, tree := strings.CutSuffix(p, "...")
		base = strings.TrimSuffix(base, "/")
		return pkg == base || tree && (base == "" || strings.HasPrefix(pkg, base+"/"))
	})
}

// A listed package, as go list prints it.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	list := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Standard,Imports", "./...")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Skipf("the import table is not checked, for go list does not run here: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImportTable(t *testing.T) {
	standard := map[string]bool{"C": false, "unsafe": true}
	all := listPackages(t)
	for _, p := range all {
		standard[p.ImportPath] = p.Standard
	}
	for _, p := range all {
		pkg, ours := strings.CutPrefix(p.ImportPath, modulePath+"/")
		if ours && !slices.Contains(testSupport, pkg) {
			checkImports(t, pkg, p.Imports, standard)
		}
	}
}

func checkImports(t *testing.T, pkg string, imports []string, standard map[string]bool) {
	t.Helper()
	i := slices.IndexFunc(importTable, func(r row) bool { return fits([]string{r.pkg}, pkg) })
	if i < 0 {
		t.Errorf("%s has no row in the import table", pkg)
		return
	}
	r := importTable[i]
	for _, imp := range imports {
		path, ours := strings.CutPrefix(imp, modulePath+"/")
		switch {
		case ours && strings.HasPrefix(path, "cmd/") && !strings.HasPrefix(pkg, "cmd/"):
			t.Errorf("%s imports %s; nothing may", pkg, path)
		case ours && (slices.Contains(testSupport, path) || !fits(strings.Fields(r.ours), path)):
			t.Errorf("%s imports %s; it may import: %s", pkg, path, r.ours)
		case !ours && !standard[imp] && !fits(strings.Fields(r.others), imp):
			t.Errorf("%s imports %s; of others it may import: %s", pkg, imp, r.others)
		}
	}
}

// ARCHITECTURE.md has a row for each package; one under cmd/ppl/extra may stand under that folder's row.
func TestArchitectureListsPackages(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Packages")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, p := range listPackages(t) {
		pkg, ours := strings.CutPrefix(p.ImportPath, modulePath+"/")
		if !ours {
			continue
		}
		if strings.HasPrefix(pkg, "cmd/ppl/extra/") {
			pkg = "cmd/ppl/extra"
		}
		if !strings.Contains(table, "`"+pkg+"`") {
			t.Errorf("ARCHITECTURE.md: the table of packages has no row for %s", pkg)
		}
	}
	for _, quoted := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(table, -1) {
		for _, pkg := range strings.Split(quoted[1], ", ") {
			if pkg = strings.Trim(pkg, "`"); !isDir("../../" + pkg) {
				t.Errorf("ARCHITECTURE.md: there is no package %s", pkg)
			}
		}
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// The top level is fixed, so that everything has one place to be looked for.
func TestTopLevel(t *testing.T) {
	allowed := strings.Fields(`go.mod go.sum lang parser ir autodiff infer diagnose stdlib cmd examples README.md
		ARCHITECTURE.md RATIONALE.md BENCHMARKS.md CHANGELOG.md CONTRIBUTING.md LICENSE`)
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !slices.Contains(allowed, name) {
			t.Errorf("%s does not belong at the top level", name)
		}
	}
}
