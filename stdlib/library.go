// This file assembles the catalogue from the tables of the package and looks rows up.

package stdlib

import (
	"fmt"
	"sort"
	"sync"

	"github.com/seed-12b88e03/ppl/lang/types"
)

// A Library is the whole catalogue. It is read-only to its users and safe for
// concurrent use; signatures are parsed on first need, since a program uses only a
// few of them.
type Library struct {
	rows          map[string][]*Function // rows of one name differ in argument types
	names         []string
	distributions map[string]*Distribution
	transforms    map[string]*Transform

	mu     sync.Mutex
	parsed map[string][]*types.Signature
	owner  map[*types.Signature]*Function
}

// New builds the catalogue.
func New() *Library {
	l := &Library{
		rows:          make(map[string][]*Function, 1024),
		distributions: make(map[string]*Distribution, 128),
		transforms:    make(map[string]*Transform, 32),
		parsed:        make(map[string][]*types.Signature),
		owner:         make(map[*types.Signature]*Function),
	}
	for _, table := range [][]*Function{
		mathFunctions(),
		matrixFunctions(),
		multivariateFunctions(),
		glmFunctions(),
		higherFunctions(),
	} {
		l.add(table...)
	}
	for _, d := range distributions() {
		l.distributions[d.Name] = d
		l.add(densityFunctions(d)...)
	}
	for _, t := range transforms() {
		l.transforms[t.Name] = t
	}
	sort.Strings(l.names)
	return l
}

func (l *Library) add(rows ...*Function) {
	for _, f := range rows {
		if len(l.rows[f.Name]) == 0 {
			l.names = append(l.names, f.Name)
		}
		l.rows[f.Name] = append(l.rows[f.Name], f)
	}
}

// Names returns all function names, sorted.
func (l *Library) Names() []string { return l.names }

// Functions returns all rows of a name, nil where there is none. Overloads that
// compute in different ways (exp of a real and of a complex number) are rows of
// their own.
func (l *Library) Functions(name string) []*Function { return l.rows[name] }

// Function returns the first row of a name, nil where there is none. Use Row where
// the call's signature is known.
func (l *Library) Function(name string) *Function {
	if rows := l.rows[name]; len(rows) > 0 {
		return rows[0]
	}
	return nil
}

// Row returns the row that a signature obtained from Signatures belongs to.
func (l *Library) Row(s *types.Signature) *Function {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.owner[s]
}

// Signatures returns all forms of a function, nil where there is none. The order is
// that of the tables: among forms that fit equally well, the first is meant.
func (l *Library) Signatures(name string) []*types.Signature {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.parsed[name]; ok {
		return s
	}
	var all []*types.Signature
	for _, f := range l.rows[name] {
		for _, text := range f.Signatures {
			s, err := types.ParseSignature(text)
			if err != nil {
				// A test parses every signature, so this cannot happen to users.
				panic(fmt.Sprintf("stdlib: %v", err))
			}
			l.owner[s] = f
			all = append(all, s)
		}
	}
	l.parsed[name] = all
	return all
}

// Distribution returns a row of the table of univariate distributions, nil where
// there is none.
func (l *Library) Distribution(name string) *Distribution { return l.distributions[name] }

// Transform returns a constraint transform by its name, nil where there is none.
func (l *Library) Transform(name string) *Transform { return l.transforms[name] }

var _ types.Library = (*Library)(nil)
