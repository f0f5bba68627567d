// Blocks lowered to pairs against the blocks themselves, on every processor.

package native

import (
	"math/rand/v2"
	"testing"
)

// plainPairs does what a lowered block does, in Go.
func plainPairs(block []Inst, arena []float64) {
	results := make([][2]float64, len(block))
	for i := range block {
		in := &block[i]
		var x [3][2]float64
		all := in.operands()
		for k := range in.Op.Arity() {
			switch {
			case all[k] >= 0:
				x[k] = results[all[k]]
			case in.wideOperand():
				copy(x[k][:], arena[^all[k]:])
			default:
				x[k][0] = arena[^all[k]]
			}
		}
		r := &results[i]
		switch in.Op {
		case Splat:
			*r = [2]float64{x[0][0], x[0][0]}
		case Repeat:
			*r = [2]float64{x[0][in.B], x[0][in.B]}
		case pairFirst:
			r[0] = x[0][0]
		case pairZeros:
		case pairFold:
			r[0] = (x[0][0] + x[1][0]) + (x[0][1] + x[1][1])
		case EvenLanes:
			*r = [2]float64{x[0][0], x[1][0]}
		case OddLanes:
			*r = [2]float64{x[0][1], x[1][1]}
		default:
			for l := range r {
				r[l] = plainOp(in.Op, x[0][l], x[1][l], x[2][l])
			}
		}
		switch {
		case in.Slot == NoSlot:
		case in.Op == Scatter:
			arena[in.Slot], arena[int(in.Slot)+int(in.B)] = r[0], r[1]
		case in.wideResult():
			copy(arena[in.Slot:], r[:])
		default:
			arena[in.Slot] = r[0]
		}
	}
}

func TestPairsEqualFours(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 9))
		block, slots := randomBlock(r, 1+r.IntN(300), 40)
		want := make([]float64, slots)
		for i := range 40 {
			want[i] = r.NormFloat64()
		}
		got := append([]float64(nil), want...)
		plain(block, want)
		plainPairs(newNeon(1).begin(block, 0), got)
		for i := range want {
			if !sameBits(got[i], want[i]) {
				t.Fatalf("seed %d: slot %d is %v, not %v", seed, i, got[i], want[i])
			}
		}
	}
}

// The upper halves of streams are streams of their own, and the arena comes after them.
func TestPairsOfStreams(t *testing.T) {
	block := []Inst{
		{Op: Add, Wide: true, A: InSlot(0), B: InSlot(3), Slot: 1},
		{Op: Splat, A: InSlot(2), Slot: NoSlot},
	}
	got := newNeon(1).begin(block, 2)
	want := []Inst{
		{Op: Add, Wide: true, A: InSlot(0), B: InSlot(5), Slot: 1},
		{Op: Add, Wide: true, A: InSlot(2), B: InSlot(7), Slot: 3},
		{Op: Splat, A: InSlot(4), Slot: NoSlot},
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("instruction %d is %v, not %v", i, got[i], want[i])
		}
	}
}
