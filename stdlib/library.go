// This file assembles the catalogue from the tables of the package and looks rows up.

package stdlib

import (
	"fmt"
	"sort"
	"sync"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/glm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// A Library is the whole catalogue. It is read-only to its users and safe for
// concurrent use; signatures are parsed on first need, since a program uses only a
// few of them.
type Library struct {
	rows          map[string][]*catalogue.Function // rows of one name differ in argument types
	names         []string
	distributions map[string]*catalogue.Distribution
	transforms    map[string]*transform.Transform

	mu     sync.Mutex
	parsed map[string][]*types.Signature
	owner  map[*types.Signature]*catalogue.Function
}

// New builds the catalogue.
func New() *Library {
	l := &Library{
		rows:          make(map[string][]*catalogue.Function, 1024),
		distributions: make(map[string]*catalogue.Distribution, 128),
		transforms:    make(map[string]*transform.Transform, 32),
		parsed:        make(map[string][]*types.Signature),
		owner:         make(map[*types.Signature]*catalogue.Function),
	}
	for _, table := range [][]*catalogue.Function{
		mathfn.Functions(),
		matrixfn.Functions(),
		multivariate.Functions(),
		glm.Functions(),
		higherFunctions(),
	} {
		l.add(table...)
	}
	for _, d := range univariate.Distributions() {
		l.distributions[d.Name] = d
		l.add(univariate.DensityFunctions(d)...)
	}
	for _, t := range transform.Transforms() {
		l.transforms[t.Name] = t
	}
	sort.Strings(l.names)
	return l
}

func (l *Library) add(rows ...*catalogue.Function) {
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
func (l *Library) Functions(name string) []*catalogue.Function { return l.rows[name] }

// Function returns the first row of a name, nil where there is none. Use Row where
// the call's signature is known.
func (l *Library) Function(name string) *catalogue.Function {
	if rows := l.rows[name]; len(rows) > 0 {
		return rows[0]
	}
	return nil
}

// Row returns the row that a signature obtained from Signatures belongs to.
func (l *Library) Row(s *types.Signature) *catalogue.Function {
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
func (l *Library) Distribution(name string) *catalogue.Distribution { return l.distributions[name] }

// Transform returns a constraint transform by its name, nil where there is none.
func (l *Library) Transform(name string) *transform.Transform { return l.transforms[name] }

var _ types.Library = (*Library)(nil)
