// What is gained by several points in one pass, in machine operations.

package batch

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// leastGain is the least share of a program's costs that its lane form must save.
const leastGain = 0.1

// LanesPay reports whether NewLaneMachine is worth its time: enough points were evaluated
// together so far, to which it adds n, and the program is one that gains by it where so
// many are.
func LanesPay(p *codegen.Program, n, enough int) bool {
	s := formsOf(p)
	if s == nil || s.points.Add(int64(n)) <= int64(enough) {
		return false
	}
	return LanesSave(p, n) > 0
}

// LanesSave is how many machine operations at a point are saved where n are evaluated in
// one pass, of at most Lanes; 0 where that is no share of the program's costs worth the
// trouble. Fewer points than lanes gain less, since what is done for all lanes takes as long
// for some of them.
func LanesSave(p *codegen.Program, n int) int {
	s := formsOf(p)
	if s == nil || n < 2 {
		return 0
	}
	s.weigh.Do(func() { s.costs = LaneCosts(p, s.blocks) })
	n = min(n, Lanes)
	alone := n * s.costs.Alone
	saved := alone - s.costs.batched - n*s.costs.byLane
	if n <= half {
		saved += s.costs.half
	}
	if float64(saved) < leastGain*float64(alone) {
		return 0
	}
	return saved / n
}

// laneCosts are what a program costs, about, in machine operations in blocks.
type laneCosts struct {
	Alone   int // for one point by itself
	batched int // what a pass does for all lanes
	byLane  int // what it does for each lane that is wanted
	half    int // what is saved where half of the lanes are wanted
}

// The costs of what is not a machine operation, from measurements. An instruction in a loop
// runs beside others more often than in a long block.
const (
	CostRun      = 120 // inputs and results of a run, and the machine itself
	costPass     = 400 // the same for several points
	costLane     = 45  // and for each of them
	costKernel   = 20  // an instruction of the interpreter
	costLoop     = 36  // machine code called once
	costCall     = 30  // an operation called for numbers of an iteration
	costOf3Insts = 2   // three instructions in a loop
)

// LaneCosts weighs what a program does for each input. With little to save, one arena is better for
// the processor's cache than several.
func LaneCosts(p *codegen.Program, blocks [][]native.Inst) laneCosts {
	w, wide := lowerBlocks(p, blocks)
	c := laneCosts{Alone: CostRun, batched: costPass, byLane: costLane}
	for i := p.Start; i < len(p.Code); i++ {
		if p.Code[i].Code == codegen.IcodeNative {
			c.Alone += insts(blocks[p.Code[i].A])
			c.batched += insts(wide[p.Code[i].A])
			continue
		}
		h := p.Spelled(&p.Code[i])
		if s, ok := Scan(h); ok {
			w.weighScan(h, s, &c)
			continue
		}
		alone := costKernel + numbers(h)
		c.Alone += alone
		switch {
		case onVectors(h) && w.allTogether(h):
			c.batched += costLoop + passes(h)
		case elementwise(h) && w.interleaved(h.Dst, h.N):
			c.batched += costKernel + codegen.Lanes*numbers(h)
		default:
			c.byLane += alone
		}
	}
	return c
}

// numbers is what an instruction costs in a kernel, without the call: arithmetic half an
// operation for each number, divisions and functions more. Of large functions not much is
// known.
func numbers(h *codegen.CallInst) int {
	n := h.N
	for _, o := range h.In {
		n = max(n, o.N)
	}
	switch h.Kind {
	case graph.KindSum, graph.KindDot, graph.KindGather:
		return n / 2
	case graph.KindMap:
		return n * costOf2(h.Op) / 2
	case graph.KindOpaque:
		if s, ok := h.Fn.(*opt.FusedLoop); ok {
			for i := range s.Ops {
				n += s.N * costOf2(s.Ops[i].Op) / 2
			}
		} else if w, ok := h.Fn.(graph.Worker); ok {
			n = max(n, w.Work())
		}
	}
	return n
}

// costOf2 is what an operation costs for two numbers.
func costOf2(op *graph.Op) int {
	if _, ok := codegen.BlockOp(op); ok && op != graph.Inv && op != graph.Sqrt {
		return 1
	}
	return 6
}

// passes is what an operation on vectors costs for all lanes, without the call: how often
// four numbers are read or written.
func passes(h *codegen.CallInst) int {
	n := 0
	if h.Kind == graph.KindMap {
		n = h.N
	}
	for _, o := range h.In {
		if o.N > 1 {
			n += o.N
		}
	}
	return n
}

// weighScan adds the costs of a scan.
func (w *BatchLowerer) weighScan(h *codegen.CallInst, s *loop.Scan, c *laneCosts) {
	b := w.newScan(h, s)
	loops := b.loops()
	s = b.s
	each := make([]laneCosts, len(s.Bodies)) // an iteration, and what of it is less for two lanes
	for k := range each {
		each[k] = b.weigh(&b.p.Bodies[k], loops[b.m.Bodies[k].first[0]:])
	}
	for t := 0; t < s.Iterations; {
		n := s.Iterations
		if s.VariantOf != nil {
			n = 1
		}
		iteration := &each[s.Body(t)]
		c.Alone += n * iteration.Alone
		c.batched += n * iteration.batched
		if b.m.Pairs {
			c.half += n * iteration.half
		}
		t += n
	}
}

// weigh returns the costs of an iteration of a body.
func (b *scanLowerer) weigh(p *loop.BodyPlan, loops []native.Loop) (c laneCosts) {
	for k := range p.Phases {
		ph := &p.Phases[k]
		least := b.latency(p, ph.Block)
		c.Alone += max(least, insts(ph.Block)*costOf3Insts/3)
		c.batched += max(least, insts(loops[k].Block)*costOf3Insts/3)
		if !p.NoCalls() {
			c.Alone, c.batched = c.Alone+costLoop, c.batched+costLoop
		}
		for i := range ph.Calls {
			n := costOf2(ph.Calls[i].Op) / 2 * ph.Calls[i].N
			c.Alone += costCall + n
			c.batched += costCall + codegen.Lanes*n
			c.half += half * n
		}
	}
	return c
}

// insts is about how many instructions of the processor a block is. Those of a Head wait for
// what was stored before, and divisions of four numbers take twice as long as those of one.
func insts(block []native.Inst) int {
	n := 0
	for i := range block {
		switch in := &block[i]; in.Op {
		case native.Shift, native.Fold:
			n += 4
		case native.Scatter:
			n += 5
		case native.Head1, native.Head2, native.Head3:
			n += 8
		case native.Inv, native.Sqrt:
			n += 4
			if in.Wide {
				n += 4
			}
		default:
			n++
		}
	}
	return n
}

// latency is how long a block of a scan takes at least: the longest chain of operations. In a
// loop without calls that is a chain from carries on, since other work of an iteration can be
// done before the one before it has ended.
func (b *scanLowerer) latency(p *loop.BodyPlan, block []native.Inst) int {
	const unready = -1
	first, last := b.s.Streams, b.s.Streams+b.s.Carries
	done := make([]int, len(block))
	longest := 0
	for i := range block {
		in := &block[i]
		start := unready
		for _, v := range []native.Value{in.A, in.B, in.C}[:in.Op.Arity()] {
			switch {
			case v >= 0:
				start = max(start, done[v])
			case !p.NoCalls() || int(^v) >= first && int(^v) < last:
				start = max(start, 0)
			}
		}
		if done[i] = start; start != unready {
			done[i] += latency(in.Op)
		}
		longest = max(longest, done[i])
	}
	return longest
}

// latency is how long an operation takes.
func latency(op native.Op) int {
	switch op {
	case native.Copy, native.Neg:
		return 1
	case native.Shift:
		return 12
	case native.Inv, native.Sqrt:
		return 16
	}
	return 4
}
