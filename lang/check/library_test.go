package check_test

// This file is the library of the checker's own tests: signatures read from a file.

import (
	"os"
	"sort"
	"strings"
	"sync"
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

// readLibrary reads the file once.
var readLibrary = sync.OnceValues(func() (library, error) {
	text, err := os.ReadFile("testdata/library.txt")
	if err != nil {
		return nil, err
	}
	lib := library{}
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		sig, err := types.ParseSignature(line)
		if err != nil {
			return nil, err
		}
		lib[sig.Name] = append(lib[sig.Name], sig)
	}
	return lib, nil
})

func testLibrary(t testing.TB) library {
	t.Helper()
	lib, err := readLibrary()
	if err != nil {
		t.Fatal(err)
	}
	return lib
}
