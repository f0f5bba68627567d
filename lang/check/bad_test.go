package check_test

// This file runs the checker over programs with mistakes. Each file of testdata/bad
// holds programs separated by lines "---"; a line on which problems are expected ends
// in "//! CODE ...". Missing problems and unexpected ones both fail.

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

// methods is a small table that shows every kind of option.
func methods() check.Methods {
	draws := &check.Option{Name: "draws", Kind: check.IntKind, Default: "1000", Min: 1, Max: 1e9, Doc: "draws"}
	return check.Methods{
		Rows: []*check.MethodRow{
			{Name: "nuts", Gives: check.GivesDraws | check.GivesKernel, Options: []*check.Option{draws,
				{Name: "delta", Kind: check.RealKind, Default: "0.8", Max: 1, OpenMin: true, OpenMax: true}}},
			{Name: "advi", Gives: check.GivesDraws | check.GivesDensity, Options: []*check.Option{draws,
				{Name: "family", Kind: check.EnumKind, Default: "meanfield", Enum: []string{"meanfield", "fullrank"}},
				{Name: "loss", Kind: check.LossKind, Default: "nll()"},
				{Name: "divergence", Kind: check.DivergenceKind, Default: "kl(1)"}}},
			{Name: "point", Gives: check.GivesDraws},
			{Name: "sweep", Gives: check.GivesDraws, Options: []*check.Option{
				{Name: "blocks", Kind: check.EnumKind, Default: "joint", Enum: []string{"joint", "each"}, Groups: true}}},
			{Name: "smc", Gives: check.GivesDraws, Wrapper: true, UsesPart: true},
			{Name: "prior_swap", Gives: check.GivesDraws, Wrapper: true, Swap: true, Options: []*check.Option{
				{Name: "from", Kind: check.EnumKind, Default: "exact", Enum: []string{"exact", "density"},
					EnumNeeds: map[string]check.Gives{"density": check.GivesDensity}},
				{Name: "with", Kind: check.MethodKind, Default: "nuts()"}}},
			{Name: "bread", Wrapper: true, Diagnose: true, Refuses: map[string]string{"point": "a mode is no sample"}, Options: []*check.Option{
				{Name: "steps", Kind: check.IntKind, List: true, Default: "[10, 100]", Min: 1, Max: 1e9},
				{Name: "warm", Kind: check.BoolKind, Default: "false"},
				{Name: "hyper", Kind: check.NameKind, List: true},
				{Name: "start", Kind: check.StringKind},
				{Name: "statistics", Kind: check.ExprKind, List: true}}},
			{Name: "needy", Wrapper: true, Diagnose: true, Options: []*check.Option{{Name: "what", Kind: check.IntKind, Required: true, Doc: "it"}}},
		},
		Divergences: []*check.Term{
			{Name: "kl", Args: []*check.Option{{Name: "w", Kind: check.RealKind, Default: "1", Max: 100, OpenMin: true}}},
			{Name: "pair", Args: []*check.Option{{Name: "a", Kind: check.RealKind, Max: 100}, {Name: "b", Kind: check.RealKind, Max: 100}},
				Valid: func(args []float64) error {
					if args[0] > args[1] {
						return errors.New("pair needs a up to b")
					}
					return nil
				}},
			{Name: "renyi", Args: []*check.Option{{Name: "alpha", Kind: check.RealKind, Max: 100, OpenMin: true}}},
		},
		Losses: []*check.Term{{Name: "nll"}},
	}
}

func TestBadChunks(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	shown := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for _, chunk := range strings.Split(string(text), "---\n") {
			badChunk(t, file, line, chunk, shown)
			line += strings.Count(chunk, "\n") + 1
		}
	}
	catalogue, err := os.ReadFile("messages.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`message\{"([^"]+)"`).FindAllStringSubmatch(string(catalogue), -1) {
		if !shown[m[1]] {
			t.Errorf("no bad program shows the problem %q", m[1])
		}
	}
}

func badChunk(t *testing.T, file string, first int, chunk string, shown map[string]bool) {
	t.Helper()
	prog, problems := parser.Parse(source.NewFile(file, chunk), parser.Options{})
	if problems.Len() > 0 {
		t.Errorf("%s:%d: does not parse: %v", file, first, problems.Sorted()[0].Message)
		return
	}
	_, found := check.Check(prog, testLibrary(t), methods())
	got := map[int][]string{}
	for _, p := range found.Sorted() {
		n := first + p.Span.Position().Line - 1
		got[n] = append(got[n], p.Code)
		shown[p.Code] = true
	}
	want := map[int][]string{}
	for i, l := range strings.Split(chunk, "\n") {
		if _, codes, ok := strings.Cut(l, "//! "); ok {
			want[first+i] = strings.Fields(codes)
			sort.Strings(want[first+i])
		}
	}
	for _, codes := range got {
		sort.Strings(codes)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:%d: wanted -, got +\n%s%v", file, first, diff, found.Sorted())
	}
}

// The programs of testdata/good.txt have no problems.
func TestGoodChunks(t *testing.T) {
	text, err := os.ReadFile("testdata/good.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range strings.Split(string(text), "---\n") {
		mustCheck(t, chunk)
	}
}
