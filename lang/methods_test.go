package lang

// This file tests the table of methods: that every default is a value of its option.

import (
	"testing"

	"github.com/seed-12b88e03/ppl/lang/check"
)

func TestMethodsTable(t *testing.T) {
	ms := Methods()
	seen := map[string]bool{}
	for _, r := range ms.Rows {
		if seen[r.Name] || r.Name == "diagnose" || r.Doc == "" {
			t.Errorf("%s: names are unique, and every row has a line of explanation", r.Name)
		}
		seen[r.Name] = true
		if r.Gives == 0 && !r.Diagnose {
			t.Errorf("%s may stand nowhere", r.Name)
		}
		for name := range r.Refuses {
			if ms.Row(name) == nil {
				t.Errorf("%s refuses %q, which there is not", r.Name, name)
			}
		}
		checkDefaults(t, ms, r)
	}
}

func checkDefaults(t *testing.T, ms check.Methods, r *check.MethodRow) {
	names := map[string]bool{}
	for _, o := range r.Options {
		if names[o.Name] || o.Doc == "" {
			t.Errorf("%s: option %q is there twice or unexplained", r.Name, o.Name)
		}
		names[o.Name] = true
		if o.Default == "" || o.Kind == check.MethodKind {
			continue
		}
		m := check.CheckedMethod{Row: r, Args: map[string]*check.Value{}}
		if err := m.Override(ms, o.Name, o.Default); err != nil {
			t.Errorf("%s: default: %v", r.Name, err)
		}
	}
}
