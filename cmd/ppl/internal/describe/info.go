// Package describe shows what was found out about a program and its model without a fit.
package describe

import (
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
)

var blocks = []ast.BlockKind{
	ast.DataKind, ast.TransformedDataKind, ast.ParametersKind, ast.TransformedParametersKind, ast.GeneratedQuantitiesKind,
}

// TypesText lists functions and the variables of each block with their types.
func TypesText(info *check.Info) string {
	var b strings.Builder
	if len(info.Functions) > 0 {
		b.WriteString("functions\n")
		for _, f := range info.Functions {
			fmt.Fprintf(&b, "  %s\n", f.Sig)
		}
	}
	for _, k := range blocks {
		if symbols := info.Globals[k]; len(symbols) > 0 {
			fmt.Fprintf(&b, "%s\n", k)
			for _, s := range symbols {
				fmt.Fprintf(&b, "  %s: %s\n", s.Name, s.Type)
			}
		}
	}
	return b.String()
}

// A variable as --info shows it.
type infoVariable struct {
	Type       string `json:"type"`
	Dimensions int    `json:"dimensions"`
}

// WriteInfo writes names, types and functions as JSON. Blocks are under the names that
// other Stan tools use for them.
func WriteInfo(w io.Writer, info *check.Info) error {
	variables := func(k ast.BlockKind) map[string]infoVariable {
		out := map[string]infoVariable{}
		for _, s := range info.Globals[k] {
			out[s.Name] = infoVariable{Type: s.Type.String(), Dimensions: s.Type.Rank()}
		}
		return out
	}
	out := struct {
		Inputs                map[string]infoVariable `json:"inputs"`
		TransformedData       map[string]infoVariable `json:"transformed data"`
		Parameters            map[string]infoVariable `json:"parameters"`
		TransformedParameters map[string]infoVariable `json:"transformed parameters"`
		GeneratedQuantities   map[string]infoVariable `json:"generated quantities"`
		Functions             []string                `json:"functions"`
		Distributions         []string                `json:"distributions"`
		Directives            []string                `json:"directives"`
	}{
		variables(ast.DataKind), variables(ast.TransformedDataKind), variables(ast.ParametersKind),
		variables(ast.TransformedParametersKind), variables(ast.GeneratedQuantitiesKind),
		[]string{}, []string{}, []string{},
	}
	functions, distributions := map[string]bool{}, map[string]bool{}
	for _, c := range info.Calls {
		functions[c.Name] = true
	}
	for _, c := range info.Samples {
		distributions[c.Name] = true
	}
	out.Functions, out.Distributions = sorted(functions), sorted(distributions)
	for _, d := range info.Directives {
		out.Directives = append(out.Directives, strings.TrimSpace(d.Loc.Text()))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
