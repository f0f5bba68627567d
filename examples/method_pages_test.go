package examples

// This file holds the pages of docs/methods to the table of methods: what each page says
// about options comes from the table that the checker, the command line and Go use.

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// tables is the part of a page that is written by this test.
var tables = regexp.MustCompile(`(?s)<!-- from the table of methods -->\n.*?<!-- end -->`)

// TestMethodPages: every method has a page, in the index, whose table is the present one.
// With -update the tables are written.
func TestMethodPages(t *testing.T) {
	index, err := os.ReadFile(filepath.Join("docs", "index.md"))
	if err != nil {
		t.Fatal(err)
	}
	methods := lang.Methods()
	for _, row := range methods.Rows {
		path := filepath.Join("docs", "methods", row.Name+".md")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%s has no page: %v", row.Name, err)
			continue
		}
		if !strings.Contains(string(index), "(methods/"+row.Name+".md)") {
			t.Errorf("docs/index.md does not name %s", path)
		}
		if n := len(tables.FindAll(text, -1)); n != 1 {
			t.Errorf("%s has %d places for its table", path, n)
		}
		now := tables.ReplaceAllLiteralString(string(text), methodTables(methods, row))
		if *update {
			if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(string(text), now); diff != "" {
			t.Errorf("%s is not what the table says; go test ./examples -run MethodPages -update writes it:\n%s", path, diff)
		}
	}
}

// TestPagesAreMethods: no page is left of a method that is gone.
func TestPagesAreMethods(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("docs", "methods", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, path := range pages {
		if lang.Methods().Row(base(path)) == nil {
			t.Errorf("%s: there is no method %s", path, base(path))
		}
	}
}

// methodTables words a row: what it takes and gives, its options, and the catalogues
// that these refer to.
func methodTables(all check.Methods, row *check.MethodRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- from the table of methods -->\n%s\n", strings.Join(contract(row), " "))
	fmt.Fprint(&b, "\n| option | default | takes | meaning |\n| --- | --- | --- | --- |\n")
	divergences, losses := false, false
	for _, o := range row.Options {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", o.Name, defaultText(o), cell(o.Describe()), cell(o.Doc))
		divergences = divergences || o.Kind == check.DivergenceKind
		losses = losses || o.Kind == check.LossKind
	}
	if losses {
		catalogue(&b, "loss", all.Losses)
	}
	if divergences {
		catalogue(&b, "divergence", all.Divergences)
	}
	return b.String() + "<!-- end -->"
}

// contract reports what stands inside a method, and where its result can be used.
func contract(row *check.MethodRow) []string {
	var out []string
	if row.Wrapper {
		s := fmt.Sprintf("`%s(M, ...)` wraps a method M", row.Name)
		if row.InnerDefault != "" {
			s += fmt.Sprintf(", `%s` where it is left out", row.InnerDefault)
		}
		if row.Needs != 0 {
			s += ", which must have " + strings.Join(gives(row.Needs), " or ")
		}
		out = append(out, s+".")
	}
	for _, name := range slices.Sorted(maps.Keys(row.Refuses)) {
		out = append(out, fmt.Sprintf("Not of `%s`: %s.", name, row.Refuses[name]))
	}
	if row.Swap {
		out = append(out, "A block of new priors `{ theta ~ ...; }` follows it.")
	}
	if row.Gives != 0 {
		s := "Gives " + strings.Join(gives(row.Gives), ", ")
		if p := gives(row.Passes &^ row.Gives); len(p) > 0 {
			s += "; and " + strings.Join(p, ", ") + " where M does"
		}
		out = append(out, s+".")
	}
	if row.Diagnose {
		out = append(out, "May stand in a `diagnose` line and in `--with`.")
	}
	return out
}

// gives words what results have.
func gives(g check.Gives) []string {
	var out []string
	for _, one := range []struct {
		has  check.Gives
		text string
	}{
		{check.GivesDraws, "draws"},
		{check.GivesDensity, "a density"},
		{check.GivesKernel, "a Markov kernel"},
		{check.GivesEvidence, "log p(y)"},
	} {
		if g&one.has != 0 {
			out = append(out, one.text)
		}
	}
	return out
}

func defaultText(o *check.Option) string {
	switch {
	case o.Default == "" && o.Required:
		return "must be given"
	case o.Default == "":
		return ""
	case o.Kind == check.EnumKind:
		return fmt.Sprintf("`%q`", o.Default)
	}
	return "`" + o.Default + "`"
}

func catalogue(b *strings.Builder, name string, terms []*check.Term) {
	fmt.Fprintf(b, "\n| %s | meaning |\n| --- | --- |\n", name)
	for _, term := range terms {
		var args []string
		for _, a := range term.Args {
			args = append(args, a.Name)
		}
		fmt.Fprintf(b, "| `%s(%s)` | %s |\n", term.Name, strings.Join(args, ", "), cell(term.Doc))
	}
}

// cell makes a text fit for a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
