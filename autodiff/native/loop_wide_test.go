// Loops on four numbers against four loops on one.

package native

import (
	"math/rand/v2"
	"testing"
)

// fourfold is a loop on four numbers of each stream and slot at once. Some inputs are the
// same for all four, and so have one number an iteration; some outputs are four streams, each
// with one number an iteration.
type fourfold struct {
	*randomLoop
	common []bool // of inputs
	apart  []bool // of outputs
	loop   Loop
	slot   []int32 // of each slot of the single loop
	byOne  []bool
}

func newFourfold(r *rand.Rand, l *randomLoop) *fourfold {
	f := &fourfold{randomLoop: l, common: make([]bool, l.inputs), apart: make([]bool, l.outputs)}
	for k := range f.common {
		f.common[k] = r.IntN(2) == 0
	}
	for k := range f.apart {
		f.apart[k] = r.IntN(2) == 0
	}
	add := func(n int, byOne bool) {
		f.slot = append(f.slot, int32(len(f.byOne)))
		for range n {
			f.byOne = append(f.byOne, byOne)
		}
	}
	for _, c := range f.common {
		add(1, c)
	}
	for range 2 * l.carries {
		add(1, false)
	}
	for _, a := range f.apart {
		if a {
			add(4, true)
		} else {
			add(1, false)
		}
	}
	for k := range l.slots {
		f.slot = append(f.slot, int32(len(f.byOne)+4*k))
	}
	f.widen()
	return f
}

// widen makes the loop.
func (f *fourfold) widen() {
	at := make([]Value, len(f.randomLoop.loop.Block))
	block := &f.loop.Block
	add := func(in Inst) Value {
		*block = append(*block, in)
		return Value(len(*block) - 1)
	}
	value := func(v Value) Value {
		switch {
		case v >= 0:
			return at[v]
		case int(^v) < f.inputs && f.common[^v]:
			return add(Inst{Op: Splat, A: InSlot(int(f.slot[^v])), Slot: NoSlot})
		}
		return InSlot(int(f.slot[^v]))
	}
	for i, in := range f.randomLoop.loop.Block {
		wide := Inst{Op: in.Op, Wide: true, A: value(in.A), B: value(in.B), C: value(in.C), Slot: NoSlot}
		k := int(in.Slot) - f.inputs - 2*f.carries
		if apart := k >= 0 && k < f.outputs && f.apart[k]; in.Slot != NoSlot && !apart {
			wide.Slot = f.slot[in.Slot]
			at[i] = add(wide)
		} else if at[i] = add(wide); apart {
			add(Inst{Op: Scatter, A: at[i], B: 1, Slot: f.slot[in.Slot]})
		}
	}
	for _, c := range f.randomLoop.loop.Carries {
		f.loop.Carries = append(f.loop.Carries, Carry{From: c.From, Next: value(c.Next), Wide: true})
	}
}

// streams places the outputs: those of the single loop, each with room for four.
func (f *fourfold) places(rounds, step int) Streams {
	single := f.randomLoop.places(rounds, step)
	s := Streams{Inputs: f.inputs, ByOne: f.byOne}
	for k, off := range single.Outputs {
		s.Outputs = append(s.Outputs, 4*off)
		if j := k - 2*f.carries; j >= 0 && f.apart[j] {
			for l := range 3 {
				s.Outputs = append(s.Outputs, 4*off+(l+1)*rounds)
			}
		}
	}
	return s
}

func TestLoopsOnFourNumbers(t *testing.T) {
	needNative(t)
	const rounds = 7
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 9))
		step := 1 - 2*r.IntN(2)
		l := newRandomLoop(r, 1+r.IntN(40))
		f := newFourfold(r, l)
		code, err := BuildLoops([]Loop{f.loop}, f.places(rounds, step), 4*l.slots, 4*step)
		if err != nil {
			t.Fatal(err)
		}
		from := 0
		if step < 0 {
			from = rounds - 1
		}
		inputs, output := make([]*float64, l.inputs), make([]float64, 4*(l.carries+l.outputs)*(rounds+1))
		fours := make([][]float64, l.inputs)
		for k := range fours {
			fours[k] = make([]float64, 4*rounds)
			inputs[k] = &fours[k][0]
		}
		arena := make([]float64, code.Slots())
		var want [4][]float64
		common := r.Uint64()
		for lane := range want {
			one, out, streams := l.memory(rand.New(rand.NewPCG(uint64(lane), common)), rounds, step)
			line := make([]float64, l.slots)
			for k := range line {
				line[k] = r.NormFloat64()
				arena[4*k+lane] = line[k]
			}
			for k := range one {
				for i := range rounds {
					if f.common[k] {
						streams[k][i] = float64(k) + 0.1*float64(i)
						fours[k][i] = streams[k][i]
					} else {
						fours[k][4*i+lane] = streams[k][i]
					}
				}
			}
			for k, off := range l.places(rounds, step).Outputs[:l.carries] { // what carries are at first
				output[4*(off+from)+lane] = streams[l.inputs+k][from]
			}
			l.run(streams, line, from, rounds, step)
			want[lane] = out
		}
		code.Loop(0, arena, inputs, output, 4*from, 3)
		code.Loop(0, arena, inputs, output, 4*(from+3*step), rounds-3)
		for k, off := range l.places(rounds, step).Outputs[l.carries:] {
			for i := range 4 * rounds {
				lane, at := i%4, 4*off+i
				if j := k - l.carries; j >= 0 && f.apart[j] {
					at = 4*off + lane*rounds + i/4
				}
				if g, w := output[at], want[lane][off+i/4]; !sameBits(g, w) {
					t.Fatalf("seed %d, lane %d: stream %d has %v, alone %v", seed, lane, k, g, w)
				}
			}
		}
	}
}

// Carries may lie in the arena, far away, in a loop with more streams than there are
// registers for addresses.
func TestCarriesInArena(t *testing.T) {
	needNative(t)
	const streams, rounds, far = 24, 5, 20_460
	slot := func(k int) int { return streams + far + 4*k }
	var l Loop
	for k := range streams { // the first ones are added to carries, the others to each other
		in := Inst{Op: Add, Wide: true, A: Value(k - 1), B: InSlot(k), Slot: NoSlot}
		if k < MostCarries {
			in.A, in.Slot = InSlot(slot(k)), int32(slot(k))
			l.Carries = append(l.Carries, Carry{From: slot(k), Next: Value(k), Wide: true})
		}
		l.Block = append(l.Block, in)
	}
	l.Block[streams-1].Slot = int32(slot(MostCarries))
	code, err := BuildLoops([]Loop{l}, Streams{Inputs: streams}, far+4*(MostCarries+1), 4)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 5))
	inputs, all := make([]*float64, streams), make([][]float64, streams)
	for k := range all {
		all[k] = make([]float64, 4*rounds)
		for i := range all[k] {
			all[k][i] = r.NormFloat64()
		}
		inputs[k] = &all[k][0]
	}
	want := make([]float64, 4*(MostCarries+1))
	for i := range 4 * rounds {
		for k := range MostCarries {
			want[4*k+i%4] += all[k][i]
		}
		sum := want[4*(MostCarries-1)+i%4]
		for k := MostCarries; k < streams; k++ {
			sum += all[k][i]
		}
		want[4*MostCarries+i%4] = sum
	}
	arena := make([]float64, code.Slots())
	code.Loop(0, arena, inputs, nil, 0, rounds)
	for i, w := range want {
		if g := arena[far+i]; !sameBits(g, w) {
			t.Errorf("sum %d is %v, want %v", i, g, w)
		}
	}
}
