// Package rng hands out the random streams of a run.
//
// Every use of randomness has a stream of its own, a ChaCha8 generator whose
// 256-bit key is the seed, the purpose, the chain and the replicate. Distinct
// keys give independent streams, so what one chain (or the generated
// quantities, or the initial point) consumes never shifts what another one
// sees: the same seed gives the same bytes whatever the number of goroutines.
//
// A *rand.Rand is for one goroutine. New may be called from anywhere.
package rng

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
)

// Purpose reports what a stream is for. Two purposes are distinct streams if
// their texts differ; by convention a method prefixes its own with its name,
// as in "sbc/simulate".
type Purpose string

// The purposes of the run loop itself.
const (
	Init       Purpose = "init"       // initial points
	Transition Purpose = "transition" // the kernel's own moves and its tuning
	Quantities Purpose = "quantities" // generated quantities of a draw
)

// New returns the stream of one purpose in one chain (counted from 0) of one
// replicate (0 unless a wrapper runs a method many times).
func New(seed uint64, purpose Purpose, chain, replicate uint64) *rand.Rand {
	return rand.New(NewSource(seed, purpose, chain, replicate))
}

// NewSource is New for callers that save and restore the generator's state.
func NewSource(seed uint64, purpose Purpose, chain, replicate uint64) *rand.ChaCha8 {
	h := fnv.New64a()
	h.Write([]byte(purpose)) // never fails, says package hash
	var key [32]byte
	binary.LittleEndian.PutUint64(key[0:], seed)
	binary.LittleEndian.PutUint64(key[8:], h.Sum64())
	binary.LittleEndian.PutUint64(key[16:], chain)
	binary.LittleEndian.PutUint64(key[24:], replicate)
	return rand.NewChaCha8(key)
}
