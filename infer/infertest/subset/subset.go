// Package subset is for tests that repeat what they do, or do it to many cases: how much of it
// they do. A plain "go test" does a fixed subset, chosen without regard to outcomes; with PPL_ALL in the environment
// tests run whole. It imports nothing, so that tests of all packages can use it.
package subset

import (
	"hash/fnv"
	"os"
)

// Whole reports whether tests run whole.
func Whole() bool { return os.Getenv("PPL_ALL") != "" }

// Of returns how often to repeat something: all where tests run whole, else some.
func Of(some, all int) int {
	if Whole() {
		return all
	}
	return some
}

// Has reports whether a case, by its name, is in the subset: about one in n, which are the same in each run.
func Has(name string, n int) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return Whole() || h.Sum32()%uint32(n) == 0
}
