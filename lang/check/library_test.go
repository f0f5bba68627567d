package check_test

// This file is the library of the checker's own tests: signatures read from a file.

import (
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/types"
)

// A library is a set of signatures by name.
type library map[string][]*types.Signature

func (l library) Signatures(name string) []*types.Signature { return l[name] }

func (l library) Names() []string {
	names := make([]string, 0, len(l))
	for n := range l {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func testLibrary(t testing.TB) library {
	t.Helper()
	text, err := os.ReadFile("testdata/library.txt")
	if err != nil {
		t.Fatal(err)
	}
	lib := library{}
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		sig, err := types.ParseSignature(line)
		if err != nil {
			t.Fatal(err)
		}
		lib[sig.Name] = append(lib[sig.Name], sig)
	}
	return lib
}
