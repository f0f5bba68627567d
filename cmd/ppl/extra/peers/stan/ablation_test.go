// What each optimisation does for the posteriors, the workloads and the classes.

package main

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

var (
	ablated       = flag.String("ablate", "", "what to switch off: names with commas, or joined by + where they go together; all without it")
	ablatedModels = flag.String("models", "*", "pattern of the models' names")
	ablatedNative = flag.Bool("native", true, "machine code")
	ablatedEach   = flag.Bool("each", false, "a line for each model, too")
)

// unseen are optimisations that a gradient at one point does not show; undumped change a program without
// changing its dump, so that all models count.
var (
	unseen   = []string{"centring", "lanes"}
	undumped = []string{"native", "bulk", "segments", "slices"}
)

// BenchmarkAblation prints a table with a row for each optimisation. Models whose gradient is the
// same program without it do not count. Ratios are times without the optimisation over times with it.
//
//	go test ./cmd/ppl/extra/peers/stan -run NONE -bench Ablation -benchtime 1x -timeout 0
func BenchmarkAblation(b *testing.B) {
	bench := b.TempDir()
	b.Chdir("../../../../..")
	if err := cmp.Or(prepareClasses(bench, 1), prepare(bench)); err != nil {
		b.Fatal(err)
	}
	models, err := filepath.Glob(filepath.Join(bench, *ablatedModels))
	if err != nil {
		b.Fatal(err)
	}
	rows := make([]ablation, 0, len(bind.Optimisations()))
	for _, off := range switchedOff() {
		rows = append(rows, ablation{off: off})
	}
	for _, dir := range models {
		if err := ablate(dir, rows); err != nil {
			b.Errorf("%s: %v", dir, err)
		}
	}
	fmt.Printf("| without | models with another program | median | most | second | least | compiling, median | most |\n| --- | ---: | ---: | --- | --- | --- | ---: | --- |\n")
	for i := range rows {
		fmt.Println(rows[i].row(len(models)))
	}
}

// switchedOff are the sets of optimisations that are left out, one after the other.
func switchedOff() [][]string {
	var all [][]string
	if *ablated != "" {
		for _, set := range strings.Split(*ablated, ",") {
			all = append(all, strings.Split(set, "+"))
		}
		return all
	}
	for _, o := range bind.Optimisations() {
		if !slices.Contains(unseen, o.Name) {
			all = append(all, []string{o.Name})
		}
	}
	return all
}

// An ablation is what leaving a set of optimisations out does.
type ablation struct {
	off               []string
	gradient, compile []ablatedModel // of the models whose program changes
}

// An ablatedModel is the time of one model without optimisations, over that with all.
type ablatedModel struct {
	model string
	ratio float64
}

func (a ablatedModel) String() string { return fmt.Sprintf("%.2f %s", a.ratio, a.model) }

func (a *ablation) row(models int) string {
	name := strings.Join(a.off, ", ")
	n := len(a.gradient)
	if n == 0 {
		return fmt.Sprintf("| %s | 0 of %d | | | | | | |", name, models)
	}
	for _, list := range [][]ablatedModel{a.gradient, a.compile} {
		slices.SortFunc(list, func(a, b ablatedModel) int { return cmp.Compare(a.ratio, b.ratio) })
	}
	return fmt.Sprintf("| %s | %d of %d | %.2f | %v | %v | %v | %.2f | %v |", name, n, models, a.gradient[n/2].ratio, a.gradient[n-1],
		a.gradient[max(0, n-2)], a.gradient[0], a.compile[n/2].ratio, a.compile[n-1])
}

// ablate measures one model with all optimisations, and without each set.
func ablate(dir string, rows []ablation) error {
	variants := []*variant{{}}
	for i := range rows {
		variants = append(variants, &variant{off: rows[i].off})
	}
	for range 5 {
		for _, v := range variants {
			if err := v.prepare(dir); err != nil {
				return fmt.Errorf("without %v: %w", v.off, err)
			}
		}
	}
	all := variants[0]
	seen := slices.DeleteFunc(slices.Clone(variants), func(v *variant) bool { return v != all && v.same(all) })
	const shortest, longest, budget = 12, 400, 1500 * time.Millisecond
	for round, began := 0, time.Now(); round < shortest || round < longest && time.Since(began) < budget; round++ {
		for _, v := range seen {
			v.gradient = least(v.gradient, gradientSeconds(v.e, v.q, v.grad))
		}
	}
	name := filepath.Base(dir)
	for i, v := range variants[1:] {
		if v.gradient == 0 {
			continue
		}
		rows[i].gradient = append(rows[i].gradient, ablatedModel{name, v.gradient / all.gradient})
		rows[i].compile = append(rows[i].compile, ablatedModel{name, v.first / all.first})
		if *ablatedEach {
			fmt.Printf("%s: without %v %.4g us, with %.4g us; compiling %.4g ms, with %.4g ms\n", name, v.off, 1e6*v.gradient, 1e6*all.gradient,
				1000*v.first, 1000*all.first)
		}
	}
	return nil
}

// A variant is a model without a set of optimisations.
type variant struct {
	off             []string
	e               infer.Evaluator
	q, grad         []float64
	program         string
	first, gradient float64 // seconds of the first gradient with what stands before it, and of one of the others
}

// least is the smaller of two times, of which the first is 0 where there is none.
func least(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// same reports whether the programs are known to be the same.
func (v *variant) same(w *variant) bool {
	return v.program == w.program && !slices.ContainsFunc(v.off, func(name string) bool { return slices.Contains(undumped, name) })
}

// prepare binds the model anew and takes its first gradient.
func (v *variant) prepare(dir string) error {
	began := time.Now()
	m, err := boundVariant(dir, v.off)
	if err != nil {
		return err
	}
	v.e, v.q, v.grad = m.NewEvaluator(), make([]float64, m.Dim()), make([]float64, m.Dim())
	for i := range v.q {
		v.q[i] = 0.1 * math.Sin(float64(i+1))
	}
	if _, err = v.e.LogDensityGrad(v.q, v.grad); err != nil {
		return err
	}
	if v.first = least(v.first, time.Since(began).Seconds()); v.program != "" {
		return nil
	}
	program, err := m.GradientProgram(v.q)
	if err == nil {
		v.program = program.Dump()
	}
	return err
}

func boundVariant(dir string, off []string) (*bind.Model, error) {
	path := filepath.Join(dir, "model.stan")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	in, err := data.ReadFile(filepath.Join(dir, "data.json"), func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	lib := stdlib.New()
	p, err := bindtest.Compile(path, string(text), dir, lib)
	if err != nil {
		return nil, err
	}
	return bind.Bind(p, lib, in, bind.Options{Seed: 1, Without: off, WithoutNative: !*ablatedNative})
}

// gradientSeconds is the mean time of a gradient in a short window.
func gradientSeconds(e infer.Evaluator, q, grad []float64) float64 {
	const window = 100 * time.Microsecond
	n, began := 0, time.Now()
	for {
		_, _ = e.LogDensityGrad(q, grad) // it worked at this point before
		n++
		if took := time.Since(began); took > window {
			return took.Seconds() / float64(n)
		}
	}
}
