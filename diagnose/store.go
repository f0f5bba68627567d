// This file lets a diagnosis keep its finished parts, so that it can be resumed.

package diagnose

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/seed-12b88e03/ppl/infer"
)

// A Store keeps the finished parts of one diagnosis: replications, data sets, steps. It is
// used by several goroutines.
type Store interface {
	// Part returns what was kept under a name, as JSON; nil where nothing was. The error says
	// that nothing was and nothing is to be made.
	Part(name string) ([]byte, error)
	// Keep keeps a part.
	Keep(name string, value []byte) error
}

// WithStore is an observer with a store. A diagnosis that is given it takes the parts that
// the store has, which must come from the same diagnosis of the same model, data and seed,
// and keeps the others there as they are done. o may be nil.
func WithStore(o infer.Observer, s Store) infer.Observer {
	if o == nil {
		o = infer.Ignore{}
	}
	return stored{o, s}
}

type stored struct {
	infer.Observer
	store Store
}

// Part returns a part of a diagnosis from the counter's store, or else makes it and keeps
// it there. T goes through JSON and back unchanged; Floats do where numbers may not be
// finite. The store's files may be a stranger's: whole reports whether a part has all the numbers that one has. A nil
// counter has no store.
func Part[T any](c *Counter, name string, whole func(T) bool, make func() (T, error)) (T, error) {
	if c == nil || c.store == nil {
		return make()
	}
	var value T
	kept, err := c.store.Part(name)
	if err != nil {
		return value, err
	}
	if kept != nil {
		if err := json.Unmarshal(kept, &value); err != nil {
			return value, fmt.Errorf("the part %q that was kept cannot be read: %w", name, err)
		}
		if !whole(value) {
			return value, fmt.Errorf("the part %q that was kept is none of this diagnosis", name)
		}
		return value, nil
	}
	if value, err = make(); err != nil {
		return value, err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return value, err
	}
	return value, c.store.Keep(name, text)
}

// Floats are numbers that go through JSON bit by bit; those that are not finite become
// "NaN", "+Inf" and "-Inf".
type Floats []float64

// MarshalJSON implements json.Marshaler.
func (f Floats) MarshalJSON() ([]byte, error) {
	if f == nil {
		return []byte("null"), nil
	}
	b := []byte{'['}
	for i, v := range f {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			b = append(b, '"')
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
			b = append(b, '"')
		} else {
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
		}
	}
	return append(b, ']'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Floats) UnmarshalJSON(text []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil || raw == nil {
		*f = nil
		return err
	}
	*f = make(Floats, len(raw))
	for i, r := range raw {
		s := string(r)
		if len(s) > 1 && s[0] == '"' {
			s = s[1 : len(s)-1]
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return err
		}
		(*f)[i] = v
	}
	return nil
}
