package main

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
)

// Commas inside brackets are part of a name.
func TestNames(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"--variables=L[2,1]"}, []string{"L[2,1]"}},
		{[]string{"--variables", "mu,L[2,1],p"}, []string{"mu", "L[2,1]", "p"}},
		{[]string{"--variables", "a.1,b", "--variables=c[3]"}, []string{"a.1", "b", "c[3]"}},
		{[]string{"--variables", "a],b"}, []string{"a]", "b"}},
	} {
		var flags outputs.VariableFlag
		p, err := kong.New(&flags, kong.NamedMapper("names", kong.MapperFunc(decodeNames)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Parse(c.args); err != nil || !slices.Equal(flags.Variables, c.want) {
			t.Errorf("%q: %q, %v", c.args, flags.Variables, err)
		}
	}
}

// TestNamesOfPictures: so they are for plot and report, which take --variables as other commands do.
func TestNamesOfPictures(t *testing.T) {
	for _, flag := range []string{"--parameters", "--variables"} {
		var flags pictureFlags
		p, err := kong.New(&flags, kong.NamedMapper("names", kong.MapperFunc(decodeNames)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Parse([]string{flag, "mu,L[2,1]"}); err != nil || !slices.Equal(flags.Parameters, []string{"mu", "L[2,1]"}) {
			t.Errorf("%s: %q, %v", flag, flags.Parameters, err)
		}
	}
}
