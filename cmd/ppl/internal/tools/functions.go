package tools

// This file is ppl functions: what is in the library.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// FunctionsCmd lists the library.
type FunctionsCmd struct {
	Name string `arg:"" optional:"" help:"Function, or the beginning of a name."`
	JSON bool   `name:"json" help:"As JSON."`
}

// A FunctionEntry is a function with its forms.
type FunctionEntry struct {
	Name       string   `json:"name"`
	Signatures []string `json:"signatures"`
	Doc        string   `json:"doc"`
	Section    string   `json:"section"`

	Support []argumentSupport `json:"support,omitempty"`
}

// An argumentSupport says what an argument must be for a distribution to have a density.
type argumentSupport struct {
	Argument string `json:"argument"`
	Is       string `json:"is"`
}

// Help implements kong.HelpProvider.
func (*FunctionsCmd) Help() string {
	return frame.Examples("ppl functions normal", "ppl functions --json")
}

// Run prints the functions.
func (c *FunctionsCmd) Run(a *frame.App) error {
	entries := c.Entries()
	if len(entries) == 0 {
		return c.unknown()
	}
	if c.JSON {
		enc := json.NewEncoder(a.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(entries)
	}
	_, err := fmt.Fprint(a.Stdout, FunctionsText(entries, c.Name != ""))
	return err
}

// unknown is the error of a name that no function begins with.
func (c *FunctionsCmd) unknown() error {
	e := &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("the library has no function whose name begins with %s", c.Name)}
	var names []string
	for _, name := range lang.Library().Names() {
		names = append(names, name)
		for _, suffix := range []string{"_lpdf", "_lpmf"} {
			if distribution, ok := strings.CutSuffix(name, suffix); ok {
				names = append(names, distribution)
			}
		}
	}
	if near := check.Nearest(c.Name, names); near != "" {
		e.Help = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// FunctionsText shows functions, with their forms or a line each.
func FunctionsText(entries []FunctionEntry, forms bool) string {
	var b strings.Builder
	for _, e := range entries {
		if !forms {
			fmt.Fprintf(&b, "%-32s %s\n", e.Name, e.Doc)
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n", e.Name, e.Doc)
		for _, s := range e.Signatures {
			fmt.Fprintf(&b, "  %s\n", s)
		}
		for i, s := range e.Support {
			fmt.Fprintf(&b, "%s %s is %s", [...]string{"  where", ","}[min(i, 1)], s.Argument, s.Is)
		}
		if len(e.Support) > 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// distributionEndings are those of the functions of a distribution.
var distributionEndings = []string{"_lpdf", "_lpmf", "_cdf", "_lcdf", "_lccdf", "_rng"}

// Entries returns the function of that name, with those of the distribution of that name, or
// else those whose names begin so.
func (c *FunctionsCmd) Entries() []FunctionEntry {
	lib := lang.Library()
	exact := c.Name != "" && lib.Function(c.Name) != nil
	var out []FunctionEntry
	for _, name := range lib.Names() {
		end, begins := strings.CutPrefix(name, c.Name)
		if begins && (!exact || end == "" || slices.Contains(distributionEndings, end)) {
			out = append(out, entry(name))
		}
	}
	slices.SortFunc(out, func(a, b FunctionEntry) int {
		return cmp.Or(cmp.Compare(c.Distance(a.Name), c.Distance(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Distance ranks a function by how likely it is meant: the one of the name itself, the density
// of the distribution of the name, its other functions, and those whose names go on.
func (c *FunctionsCmd) Distance(name string) int {
	end := strings.TrimPrefix(name, c.Name)
	switch {
	case c.Name == "":
		return 0
	case end == "":
		return 1
	case end == "_lpdf" || end == "_lpmf":
		return 2
	case slices.Contains(distributionEndings, end):
		return 3
	}
	return 4
}

func entry(name string) FunctionEntry {
	e := FunctionEntry{Name: name}
	for _, f := range lang.Library().Functions(name) {
		if e.Doc == "" {
			e.Doc, e.Section, e.Support = f.Doc, f.Section, supportOf(f)
		}
		e.Signatures = append(e.Signatures, f.Signatures...)
	}
	return e
}

// supportOf is what the arguments of a distribution's function must be, as far as that can
// be said of each by itself; nil for other functions.
func supportOf(f *stdlib.Function) []argumentSupport {
	form, err := types.ParseSignature(f.Signatures[0])
	if err != nil {
		return nil
	}
	density := strings.HasSuffix(f.Name, "_lpdf") || strings.HasSuffix(f.Name, "_lpmf")
	if d := f.Density; d != nil && len(d.Requires) > 0 {
		needs := slices.Clone(d.Requires)
		switch {
		case strings.HasSuffix(f.Name, "_rng"):
			needs = needs[1:] // without the variate
		case !density && d.Variate != nil:
			needs[0] = *d.Variate
		}
		var out []argumentSupport
		for i, n := range needs[:min(len(needs), len(form.Params))] {
			out = append(out, argumentSupport{form.Params[i].Name, n.Text})
		}
		return out
	}
	if !density {
		return nil
	}
	if s := lang.Library().Sampler(f); s != nil && len(s.Native) > 0 {
		return []argumentSupport{{form.Params[0].Name, "as declared " + strings.Join(s.Native, ", ")}}
	}
	return nil
}
