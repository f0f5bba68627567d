// Loops against the same loops in Go, bit for bit.

package native

import (
	"math/rand/v2"
	"testing"
)

// A randomLoop is a loop with its numbers of streams. These are inputs, what carries are
// before an iteration, what they are after it, and outputs.
type randomLoop struct {
	loop                     Loop
	inputs, carries, outputs int
	slots                    int
}

func (l *randomLoop) streams() int { return l.inputs + 2*l.carries + l.outputs }

// newRandomLoop makes a loop of a number of operations. Its carries become results, other
// carries, or the same one twice.
func newRandomLoop(r *rand.Rand, size int) *randomLoop {
	l := &randomLoop{inputs: 1 + r.IntN(4), carries: 1 + r.IntN(MostCarries), slots: 12}
	if r.IntN(8) == 0 {
		l.slots = 20_000 // more than an instruction reaches
	}
	readable := l.inputs + l.carries
	arena := l.inputs + 2*l.carries + size // outputs are at most as many as operations
	block := &l.loop.Block
	pick := func() Value {
		switch n := len(*block); {
		case n > 0 && r.IntN(3) > 0:
			return Value(max(0, n-1-r.IntN(20)))
		case r.IntN(3) == 0:
			return InSlot(arena + r.IntN(l.slots))
		}
		return InSlot(r.IntN(readable))
	}
	for range size {
		in := Inst{Op: Op(r.IntN(int(FNMA) + 1)), Slot: NoSlot, A: pick(), B: pick(), C: pick()}
		if r.IntN(4) == 0 {
			in.Slot = int32(l.inputs + 2*l.carries + l.outputs)
			l.outputs++
		}
		*block = append(*block, in)
	}
	for i := range l.carries {
		to := int32(l.inputs + l.carries + i)
		next := Value(r.IntN(size))
		if r.IntN(4) == 0 {
			next = InSlot(l.inputs + r.IntN(l.carries))
		}
		if next >= 0 && (*block)[next].Slot == NoSlot {
			(*block)[next].Slot = to
		} else {
			*block = append(*block, Inst{Op: Copy, A: next, Slot: to})
		}
		l.loop.Carries = append(l.loop.Carries, Carry{From: l.inputs + i, Next: next})
	}
	for i := range *block { // the arena is where the streams end
		in := &(*block)[i]
		for _, v := range []*Value{&in.A, &in.B, &in.C} {
			if *v < 0 && int(^*v) >= arena {
				*v = InSlot(int(^*v) - arena + l.streams())
			}
		}
	}
	return l
}

// places returns where streams begin in the output of so many iterations: what carries are after
// one is where they are before the next.
func (l *randomLoop) places(rounds, step int) Streams {
	before, after := 0, 1
	if step < 0 {
		before, after = 1, 0
	}
	s := Streams{Inputs: l.inputs}
	for k := range l.carries {
		s.Outputs = append(s.Outputs, k*(rounds+1)+before)
	}
	for k := range l.carries {
		s.Outputs = append(s.Outputs, k*(rounds+1)+after)
	}
	for k := range l.outputs {
		s.Outputs = append(s.Outputs, (l.carries+k)*(rounds+1))
	}
	return s
}

// memory makes inputs and the output, and all streams.
func (l *randomLoop) memory(r *rand.Rand, rounds, step int) (inputs []*float64, output []float64, streams [][]float64) {
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 0.5 * r.NormFloat64()
		}
		return x
	}
	for range l.inputs {
		x := random(rounds)
		streams, inputs = append(streams, x), append(inputs, &x[0])
	}
	output = random((l.carries + l.outputs) * (rounds + 1))
	for _, off := range l.places(rounds, step).Outputs {
		streams = append(streams, output[off:][:rounds])
	}
	return inputs, output, streams
}

// run does the loop in Go, each iteration as a block on a line of all its numbers.
func (l *randomLoop) run(streams [][]float64, arena []float64, from, rounds, step int) {
	for t := from; rounds > 0; t, rounds = t+step, rounds-1 {
		line := make([]float64, 0, len(streams)+len(arena))
		for _, s := range streams {
			line = append(line, s[t])
		}
		line = append(line, arena...)
		plain(l.loop.Block, line)
		for k := l.inputs + l.carries; k < len(streams); k++ {
			streams[k][t] = line[k]
		}
	}
}

func TestLoopsEqualGo(t *testing.T) {
	needNative(t)
	const rounds = 9
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 8))
		step := 1 - 2*r.IntN(2)
		l := newRandomLoop(r, 1+r.IntN(60))
		loops := []Loop{l.loop, {Block: l.loop.Block}} // the second one without registers
		code, err := BuildLoops(loops, l.places(rounds, step), l.slots, step)
		if err != nil {
			t.Fatal(err)
		}
		from := 0
		if step < 0 {
			from = rounds - 1
		}
		arena := make([]float64, code.Slots())
		for i := range l.slots {
			arena[i] = r.NormFloat64()
		}
		seeds := [2]uint64{r.Uint64(), r.Uint64()}
		_, want, streams := l.memory(rand.New(rand.NewPCG(seeds[0], seeds[1])), rounds, step)
		l.run(streams, append([]float64(nil), arena[:l.slots]...), from, rounds, step)
		for k, calls := range [][]int{{rounds}, {1, 3, rounds - 4}} {
			inputs, got, _ := l.memory(rand.New(rand.NewPCG(seeds[0], seeds[1])), rounds, step)
			at := from
			for _, n := range calls {
				code.Loop(k, arena, inputs, got, at, n)
				at += n * step
			}
			for i := range want {
				if !sameBits(got[i], want[i]) {
					t.Fatalf("seed %d, loop %d: number %d is %v, in Go %v", seed, k, i, got[i], want[i])
				}
			}
		}
	}
}

// An iteration may be longer than a conditional branch of some processors reaches.
func TestLongRound(t *testing.T) {
	needNative(t)
	const size, rounds = 1<<18 + 1<<10, 3
	block := make([]Inst, size)
	for i := range block {
		block[i] = Inst{Op: Add, A: Value(i - 1), B: InSlot(2), Slot: NoSlot}
	}
	block[0].A, block[size-1].Slot = InSlot(0), 1
	loop := Loop{Block: block, Carries: []Carry{{From: 0, Next: size - 1}}}
	code, err := BuildLoops([]Loop{loop}, Streams{Outputs: []int{0, 1}}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	arena := make([]float64, code.Slots())
	arena[0] = 1
	out := make([]float64, rounds+1)
	code.Loop(0, arena, nil, out, 0, rounds)
	for i, x := range out {
		if x != float64(size*i) {
			t.Errorf("after %d iterations: %v, want %v", i, x, size*i)
		}
	}
}
