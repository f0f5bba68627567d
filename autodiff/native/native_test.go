// Blocks against the same operations in Go, bit for bit.

package native

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plain does what a block does, in Go.
func plain(block []Inst, arena []float64) {
	results := make([][4]float64, len(block))
	for i := range block {
		in := &block[i]
		var x [3][4]float64
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
			*r = [4]float64{x[0][0], x[0][0], x[0][0], x[0][0]}
		case Head1, Head2, Head3:
			copy(r[:], x[0][:1+in.Op-Head1])
		case Fold:
			r[0] = (x[0][0] + x[0][2]) + (x[0][1] + x[0][3])
		case Repeat:
			v := x[0][in.B]
			*r = [4]float64{v, v, v, v}
		case EvenLanes:
			*r = [4]float64{x[0][0], x[1][0], x[0][2], x[1][2]}
		case OddLanes:
			*r = [4]float64{x[0][1], x[1][1], x[0][3], x[1][3]}
		case LowHalves:
			*r = [4]float64{x[0][0], x[0][1], x[1][0], x[1][1]}
		case HighHalves:
			*r = [4]float64{x[0][2], x[0][3], x[1][2], x[1][3]}
		default:
			for l := range 4 {
				r[l] = plainOp(in.Op, x[0][l], x[1][l], x[2][l])
			}
		}
		if in.Slot == NoSlot {
			continue
		}
		if in.Op == Scatter {
			for l, v := range r {
				arena[int(in.Slot)+l*int(in.B)] = v
			}
		} else if in.wideResult() {
			copy(arena[in.Slot:], r[:])
		} else {
			arena[in.Slot] = r[0]
		}
	}
}

func plainOp(op Op, a, b, c float64) float64 {
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Shift:
		if b > a {
			a = b
		}
		if math.IsInf(a, 0) || math.IsNaN(a) {
			return 0
		}
		return a
	case Neg:
		return -a
	case Inv:
		return 1 / a
	case Square:
		return a * a
	case Sqrt:
		return math.Sqrt(a)
	case FMA:
		return math.FMA(a, b, c)
	case FMS:
		return math.FMA(a, b, -c)
	case FNMA:
		return math.FMA(-a, b, c)
	case Pick:
		if !math.Signbit(c) {
			return b
		}
	case More:
		return truth(a > b)
	case AtLeast:
		return truth(a >= b)
	}
	return a // Copy, and one of what Pick chooses between
}

func truth(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// randomBlock makes a block that reads the first inputs slots of the arena and stores
// some results behind them; it gives the arena's length.
func randomBlock(r *rand.Rand, size, inputs int) ([]Inst, int) {
	var block []Inst
	var byWidth [2][]Value
	slots := inputs
	pick := func(wide bool) Value {
		w := 0
		if wide {
			w = 1
		}
		if known := byWidth[w]; len(known) > 0 && r.IntN(5) > 0 {
			if r.IntN(3) > 0 { // mostly recent ones
				known = known[max(0, len(known)-6):]
			}
			return known[r.IntN(len(known))]
		}
		if r.IntN(4) == 0 { // also what the block has stored
			return InSlot(r.IntN(slots - 3))
		}
		return InSlot(r.IntN(inputs - 3))
	}
	for range size {
		in := Inst{Op: Op(r.IntN(int(HighHalves) + 1)), Slot: NoSlot}
		if in.Op < Splat {
			in.Wide = r.IntN(3) == 0
		}
		in.A = pick(in.wideOperand())
		if in.Op >= Head1 && in.Op <= Head3 {
			in.A = InSlot(r.IntN(inputs - 3))
		}
		in.B = pick(in.wideOperand())
		in.C = pick(in.wideOperand())
		switch in.Op {
		case Pick: // by the sign of what may be NaN, but not of what becomes NaN
			in.C = InSlot(r.IntN(inputs - 3))
		case Repeat:
			in.B = Value(r.IntN(4))
		case Scatter:
			in.B, in.Slot = Value(1+r.IntN(5)), int32(slots)
			slots += 3*int(in.B) + 1
			block = append(block, in)
			continue
		}
		w, width := 0, 1
		if in.wideResult() {
			w, width = 1, 4
		}
		byWidth[w] = append(byWidth[w], Value(len(block)))
		if r.IntN(4) == 0 {
			in.Slot = int32(slots)
			slots += width
		}
		block = append(block, in)
	}
	return block, slots
}

// sameBits reports whether two numbers are the same, a NaN being a NaN.
func sameBits(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
}

func needNative(t *testing.T) {
	t.Helper()
	if r := Reason(); r != "" {
		t.Skip("no native code: " + r)
	}
}

func TestBlocksEqualGo(t *testing.T) {
	needNative(t)
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e308}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		block, slots := randomBlock(r, 1+r.IntN(300), 40)
		code, err := Build([][]Inst{nil, block}, slots)
		if err != nil {
			t.Fatal(err)
		}
		arena := make([]float64, code.Slots())
		for i := range 40 {
			arena[i] = r.NormFloat64()
			if r.IntN(30) == 0 {
				arena[i] = special[r.IntN(len(special))]
			}
		}
		want := append([]float64(nil), arena...)
		plain(block, want)
		code.Run(0, arena)
		code.Run(1, arena)
		for i := range slots {
			if g, w := arena[i], want[i]; !sameBits(g, w) {
				t.Fatalf("seed %d: slot %d is %v, in Go %v", seed, i, g, w)
			}
		}
	}
}

// shifted returns a block that does the same on slots further on, after so many instructions.
func shifted(block []Inst, slots int, after int) []Inst {
	move := func(v Value) Value {
		if v < 0 {
			return v - Value(slots)
		}
		return v + Value(after)
	}
	out := make([]Inst, len(block))
	for i, in := range block {
		if in.A = move(in.A); in.Op != Repeat && in.Op != Scatter {
			in.B = move(in.B)
		}
		in.C = move(in.C)
		if in.Slot != NoSlot {
			in.Slot += int32(slots)
		}
		out[i] = in
	}
	return out
}

// Slots may be further away than an instruction reaches, and where four numbers are not at
// a multiple of their length.
func TestFarSlots(t *testing.T) {
	needNative(t)
	at := []int{0, 4091, 5<<12 + 1, 1<<19 - 100, 1<<21 + 77, 3<<20 + 2} // the next one is above all of the last
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 10))
		var block []Inst
		var want []float64
		for _, from := range at {
			b, slots := randomBlock(r, 1+r.IntN(200), 40)
			block = append(block, shifted(b, from, len(block))...)
			want = append(want, make([]float64, from+slots-len(want))...)
			for i := range 40 {
				want[from+i] = r.NormFloat64()
			}
		}
		code, err := Build([][]Inst{block}, len(want))
		if err != nil {
			t.Fatal(err)
		}
		arena := make([]float64, code.Slots())
		copy(arena, want)
		plain(block, want)
		code.Run(0, arena)
		for i, w := range want {
			if g := arena[i]; !sameBits(g, w) {
				t.Fatalf("seed %d: slot %d is %v, in Go %v", seed, i, g, w)
			}
		}
	}
}
