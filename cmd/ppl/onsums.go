package main

// This file has the parts of sums of a log density evaluated by workers: ppl run --on URL --parts N.

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/solver"
)

// A deputy has parts of sums evaluated by workers, each of which holds a group of them. It implements infer.Deputy.
type deputy struct {
	ctx   context.Context
	hold  *cluster.Hold
	tasks int
	say   func(text string)

	names   sync.Map // of each *infer.Sum: its *sumName
	all, by atomic.Int64
}

// A sumName is what workers call a sum by. They are told what it stands for when they ask.
type sumName struct {
	key     [16]byte
	refused []atomic.Bool // by who holds a task
}

// A sumRequest is what a worker is asked, with the point and values of the sum, where Tell says so, and the inputs after it.
type sumRequest struct {
	Key             [16]byte
	Gradient        bool
	Tell            bool
	Jacobian        bool
	Index, From, To uint32
	Dim, Parts      uint32
}

// An answer begins with one of these. After partsFollow each part has a sumPart and its gradient, after isRefusal there is text.
const (
	isUnknown   = 'u'
	isRefusal   = 'n'
	partsFollow = 'p'
)

type sumPart struct {
	Part, Dim uint32
	Value     float64
}

// delegate has workers hold the parts of the model's sums.
func (s *session) delegate(ctx context.Context) (end func(), err error) {
	sums, err := s.sums()
	if err == nil && len(sums) == 0 {
		return nil, &frame.Exit{
			Code: frame.ExitWrongInput, Err: fmt.Errorf("--parts: the log density of %s has no sum that is evaluated in parts", s.Model),
			Help: "with --divide, statements over rows of data and calls of reduce_sum and map_rect are divided where a part takes 10 microseconds; without it, calls alone, where a part takes half a millisecond",
		}
	}
	spec, err := newWorkSpec(s.app, "sums", s.program, s.data, s.seed)
	if err != nil {
		return nil, err
	}
	if now, err := s.data.Digest(); err != nil || now != nil && now.SHA256 != s.digest.SHA256 {
		return nil, frame.Wrong(errors.Join(errors.New("the data have changed since they were read"), err))
	}
	spec.NoJIT, spec.Divide, spec.Disable, spec.Tasks = s.NoJIT, s.Divide, s.Disable, s.Parts
	job, files, err := spec.job()
	if err != nil {
		return nil, err
	}
	job.ID, job.Held = cluster.Hash(fmt.Append(nil, job.ID, rand.Text())), true // of this run alone
	if s.cluster, err = cluster.Connect(ctx, s.access(s.app, s.On, "ppl run")); err != nil {
		return nil, frame.Wrong(err)
	}
	d := &deputy{ctx: ctx, tasks: s.Parts, say: hindrances(s.app, s.Quiet)}
	if d.hold, err = s.cluster.Hold(ctx, job, files, d.say); err != nil {
		s.cluster.Close()
		return nil, &frame.Exit{Code: frame.ExitFailed, Err: err}
	}
	if s.deputy = d; !s.Quiet && len(sums) > 0 {
		s.app.Say("sums in parts: %s", strings.Join(sums, ", "))
	}
	return func() {
		if err := d.hold.Close(); err != nil {
			d.say(err.Error())
		}
		s.cluster.Close()
		if !s.Quiet {
			s.app.Say("workers evaluated %d of %d parts of sums", d.by.Load(), d.all.Load())
		}
	}, nil
}

// sums says which sums are evaluated in parts at one of a few points that has a log density.
func (s *session) sums() (sums []string, err error) {
	for _, x := range []float64{0, 1, -1} {
		q := slices.Repeat([]float64{x}, s.model.Dim())
		if sums, err = bind.Sums(s.model.Bound(), q); err == nil {
			break
		}
	}
	return sums, err
}

// name is that of a sum.
func (d *deputy) name(s *infer.Sum) *sumName {
	if n, ok := d.names.Load(s); ok {
		return n.(*sumName)
	}
	h := sha256.New()
	_ = binary.Write(h, binary.LittleEndian, s.At) // a hash takes everything
	_ = binary.Write(h, binary.LittleEndian, s.Values)
	_ = binary.Write(h, binary.LittleEndian, []int64{int64(s.Index), int64(len(s.At))})
	_ = binary.Write(h, binary.LittleEndian, s.Jacobian)
	n := &sumName{refused: make([]atomic.Bool, d.tasks)}
	copy(n.key[:], h.Sum(nil))
	known, _ := d.names.LoadOrStore(s, n)
	return known.(*sumName)
}

// Parts implements infer.Deputy.
func (d *deputy) Parts(s *infer.Sum, in [][]float64, gradient bool, take func(int, float64, []float64)) {
	name, all := d.name(s), slices.Concat(in...)
	answers := make(chan []byte, d.tasks)
	asked := 0
	for task := range d.tasks {
		from, to := task*len(s.Values)/d.tasks, (task+1)*len(s.Values)/d.tasks
		if from == to || name.refused[task].Load() {
			continue
		}
		asked++
		r := sumRequest{Key: name.key, Gradient: gradient, Jacobian: s.Jacobian, Index: uint32(s.Index), From: uint32(from), To: uint32(to), Dim: uint32(len(s.At)), Parts: uint32(len(s.Values))}
		go func() { answers <- d.ask(s, name, task, r, all) }()
	}
	d.all.Add(int64(len(s.Values)))
	for range asked {
		d.by.Add(int64(eachPart(<-answers, take)))
	}
}

// eachPart hands over the parts of an answer, up to the end or to what is none, and returns how many.
func eachPart(text []byte, take func(int, float64, []float64)) (count int) {
	for len(text) > 0 {
		var p sumPart
		n, err := binary.Decode(text, binary.LittleEndian, &p)
		if err != nil || uint64(len(text)-n) < 8*uint64(p.Dim) {
			break
		}
		row := make([]float64, p.Dim)
		_, _ = binary.Decode(text[n:], binary.LittleEndian, row) // it is long enough
		text = text[n+8*len(row):]
		take(int(p.Part), p.Value, row)
		count++
	}
	return count
}

// ask has who holds a task evaluate its parts, and is nil where nobody does.
func (d *deputy) ask(s *infer.Sum, name *sumName, task int, r sumRequest, in []float64) []byte {
	for _, r.Tell = range []bool{false, true} {
		text, _ := binary.Append(nil, binary.LittleEndian, r) // of fixed size
		if r.Tell {
			text, _ = binary.Append(text, binary.LittleEndian, s.At)
			text, _ = binary.Append(text, binary.LittleEndian, s.Values)
		}
		text, _ = binary.Append(text, binary.LittleEndian, in)
		answer, ok := d.hold.Ask(d.ctx, task, text)
		if !ok {
			return nil
		}
		switch answer[0] {
		case partsFollow:
			return answer[1:]
		case isRefusal:
			name.refused[task].Store(true)
			d.say(fmt.Sprintf("a worker does not evaluate parts of a sum, which is done here: %s", answer[1:]))
			return nil
		}
	}
	return nil
}

// sums makes the model that a spec describes ready; a request is for parts of one of its sums.
func (spec *workSpec) sums(a *frame.App, files string) (unitFunc, error) {
	model, engine := spec.given(files)
	p, err := model.Compile(a, spec.Name)
	if err != nil {
		return nil, err
	}
	m, err := input.BindModel(context.Background(), a, p, model.DataSource(a, p, spec.Name), engine.Options(spec.Seed))
	if err != nil {
		return nil, err
	}
	known := map[[16]byte]*solver.Parts{}
	find := func(s *infer.Sum) (*solver.Parts, error) { return bind.Parts(m.Bound(), s) }
	var out []byte
	return func(t unitTask) ([]byte, error) {
		if len(t.Ask) == 0 { // it is ready
			return nil, nil
		}
		err := infer.Guarded(func() (err error) {
			out, err = answerSum(t.Ask, known, find, out[:0])
			return err
		})
		return out, err
	}, nil
}

// mostSums is how many sums a worker keeps: each recording of the log density has its own.
const mostSums = 64

// answerSum evaluates the parts that a request is for, and appends the answer to out. Parts that fail are left out.
func answerSum(text []byte, known map[[16]byte]*solver.Parts, find func(*infer.Sum) (*solver.Parts, error), out []byte) ([]byte, error) {
	var r sumRequest
	n, err := binary.Decode(text, binary.LittleEndian, &r)
	text = text[min(n, len(text)):]
	if tell := 8 * (uint64(r.Dim) + uint64(r.Parts)); err != nil || len(text)%8 != 0 || r.To > r.Parts || r.Tell && tell > uint64(len(text)) {
		return nil, &cluster.Failure{Text: "the request cannot be read", Final: true}
	}
	numbers := make([]float64, len(text)/8)
	_, _ = binary.Decode(text, binary.LittleEndian, numbers) // it is long enough
	sum := known[r.Key]
	if r.Tell {
		at, values := numbers[:r.Dim], numbers[r.Dim:r.Dim+r.Parts]
		numbers = numbers[r.Dim+r.Parts:]
		if sum == nil {
			sum, err = find(&infer.Sum{At: at, Jacobian: r.Jacobian, Index: int(r.Index), Values: values})
			for k := r.From; k < r.To && err == nil; k++ {
				err = sum.Check(int(k))
			}
			if err != nil {
				return append(append(out, isRefusal), err.Error()...), nil
			}
			if len(known) >= mostSums {
				clear(known)
			}
			known[r.Key] = sum
		}
	}
	if sum == nil {
		return append(out, isUnknown), nil
	}
	if err := sum.Load(numbers); err != nil {
		return append(append(out, isRefusal), err.Error()...), nil
	}
	out = append(out, partsFollow)
	for k := r.From; k < r.To; k++ {
		value, row, err := sum.Evaluate(int(k), r.Gradient)
		if err != nil {
			continue // who asks evaluates it, too, and knows where it is in the program
		}
		if !r.Gradient {
			row = nil
		}
		out, _ = binary.Append(out, binary.LittleEndian, sumPart{Part: k, Dim: uint32(len(row)), Value: value})
		out, _ = binary.Append(out, binary.LittleEndian, row)
	}
	return out, nil
}
