// Overload resolution: which of several signatures a call means.

package types

import "sort"

// A Match is the signature that a call means, with its patterns filled in.
type Match struct {
	Sig    *Signature
	Params []Type // the type that each actual argument is converted to
	Funcs  []int  // for each argument the index into Arg.Funcs, -1 for no function; nil where there are none
	Result Type
	Steps  int // promotions made
}

// A Mismatch says why no signature was chosen.
type Mismatch struct {
	// Ambiguous has the signatures that fit equally well, nil where none fits.
	Ambiguous []*Signature
	// Closest has what came nearest, nearest first, at most MaxCandidates.
	Closest []Candidate
	// More is how many further candidates there were.
	More int
}

// MaxCandidates is how many candidates a Mismatch lists.
const MaxCandidates = 5

// Reason reports what kept a signature from fitting.
type Reason uint8

// The reasons.
const (
	WrongCount        Reason = iota // the number of arguments
	WrongType                       // the type of an argument
	NotData                         // a data-only parameter was given something else
	WrongContainer                  // containers of different kinds where they must agree
	WrongFunction                   // a function argument takes or gives other types
	AmbiguousFunction               // several forms of a function argument fit equally well
)

// A Candidate is a signature that does not fit, and the first thing that is wrong.
type Candidate struct {
	Sig    *Signature
	Reason Reason
	Arg    int    // index of the argument, for all reasons but WrongCount
	Field  int    // of a tuple written in place, from 1: the field that must be data; 0 where that is not what is wrong
	Want   string // what the parameter takes
	wrong  int    // how many arguments do not fit; for the order
}

// Resolve chooses the signature that takes the arguments with the fewest promotions.
// Where two that convert the arguments to different types need equally many, the
// call is ambiguous; where they convert them to the same types, the first one wins.
func Resolve(sigs []*Signature, args []Arg) (Match, *Mismatch) {
	var best []Match
	var failed []Candidate
	for _, sig := range sigs {
		m, cand := match(sig, args)
		switch {
		case cand != nil:
			failed = append(failed, *cand)
		case len(best) == 0 || m.Steps < best[0].Steps:
			best = []Match{m}
		case m.Steps == best[0].Steps && !sameTypes(m.Params, best[0].Params):
			best = append(best, m)
		}
	}
	if len(best) == 1 || len(best) > 0 && hasBad(args) {
		return best[0], nil
	}
	mis := &Mismatch{}
	for _, m := range best {
		mis.Ambiguous = append(mis.Ambiguous, m.Sig)
	}
	sort.SliceStable(failed, func(i, j int) bool { return failed[i].wrong < failed[j].wrong })
	mis.Closest = failed[:min(len(failed), MaxCandidates)]
	mis.More = len(failed) - len(mis.Closest)
	return Match{}, mis
}

func sameTypes(a, b []Type) bool {
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

func hasBad(args []Arg) bool {
	for _, a := range args {
		if a.Type.Base == BadBase {
			return true
		}
	}
	return false
}

// matcher holds what the patterns of one signature stand for so far.
type matcher struct {
	args  []Arg
	m     Match
	cand  Candidate
	shape Type // container among T and C arguments with real numbers; Void for none yet
	ints  Type // container among I arguments; Void for none yet
	any   Type // what "any" stands for; Void for none yet
	nonsc bool // some argument of Reals, Ints or Vectors is a container
	taken int  // arguments from here on were matched as further arguments
}

// match tries one signature.
func match(sig *Signature, args []Arg) (Match, *Candidate) {
	x := &matcher{args: args, m: Match{Sig: sig}, cand: Candidate{Sig: sig}, taken: len(args)}
	fixed := len(sig.Params)
	hasRest := fixed > 0 && sig.Params[fixed-1].Pattern == Rest
	if hasRest {
		fixed--
	}
	if len(args) < fixed || len(args) > fixed && !hasRest {
		x.cand.Reason, x.cand.wrong = WrongCount, 1000+abs(len(args)-fixed)
		return Match{}, &x.cand
	}
	x.m.Params = make([]Type, len(args))
	if hasRest {
		x.taken = fixed
		for i := fixed; i < len(args); i++ {
			x.m.Params[i] = args[i].Type
		}
	}
	x.bindAny(sig.Params[:fixed])
	for i, p := range sig.Params[:fixed] {
		if !isFunc(p) {
			x.value(i, p)
		}
	}
	for i, p := range sig.Params[:fixed] {
		if isFunc(p) {
			if further, ok := x.further(sig.Params[:fixed], i); ok {
				x.function(i, p, further)
			}
		}
	}
	if x.cand.wrong > 0 {
		return Match{}, &x.cand
	}
	x.m.Result = x.result(sig.Result)
	return x.m, nil
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func isFunc(p Param) bool { return p.Pattern == Exact && p.Type.Base == FuncBase }

// fail notes that argument i does not fit; the first one found is reported.
func (x *matcher) fail(i int, why Reason, want string) {
	if x.cand.wrong == 0 || i < x.cand.Arg {
		x.cand.Reason, x.cand.Arg, x.cand.Want = why, i, want
	}
	x.cand.wrong++
}

// bindAny finds the one type that all occurrences of "any" promote to.
func (x *matcher) bindAny(params []Param) {
	for i, p := range params {
		t := x.args[i].Type
		if p.Pattern != Any || t.Base == BadBase {
			continue
		}
		if t.Dims < p.Type.Dims || t.Base == VoidBase || t.Base == FuncBase || t.Base == StringBase {
			x.fail(i, WrongType, p.typeString())
			continue
		}
		t.Dims -= p.Type.Dims
		if x.any.Base == VoidBase {
			x.any = t
		} else if c, ok := Common(x.any, t); ok {
			x.any = c
		} else {
			x.fail(i, WrongType, ArrayOf(x.any, p.Type.Dims).String())
		}
	}
}

// value matches a parameter that is no function.
func (x *matcher) value(i int, p Param) {
	a := x.args[i]
	x.m.Params[i] = a.Type
	if a.Type.Base == BadBase {
		return
	}
	if a.Type.Base == VoidBase || a.Type.Base == FuncBase || a.Type.Base == StringBase {
		x.fail(i, WrongType, p.typeString())
		return
	}
	if p.Data && !a.Data {
		x.fail(i, NotData, "data "+p.typeString())
		return
	}
	for k, f := range a.Fields {
		if p.DataFields>>k&1 != 0 && !f.Data {
			x.cand.Field = k + 1
			x.fail(i, NotData, p.typeString())
			return
		}
	}
	if p.DataFields != 0 && a.Fields == nil && !a.Data {
		x.fail(i, NotData, p.typeString())
		return
	}
	t, ok := x.pattern(i, p, a.Type)
	if !ok {
		return
	}
	steps, ok := Promote(a.Type, t)
	if !ok {
		x.fail(i, WrongType, p.typeString())
		return
	}
	x.m.Steps += steps
	x.m.Params[i] = t
}

// pattern returns the type that parameter i asks for, given the argument's. Where
// there is none the failure is noted.
func (x *matcher) pattern(i int, p Param, a Type) (Type, bool) {
	ok := true
	t := a
	switch p.Pattern {
	case Exact:
		return p.Type, true
	case Any:
		return ArrayOf(x.any, p.Type.Dims), true
	case Tuple:
		ok = a.Base == TupleBase && a.Dims == 0
	case Ints:
		ok = a.Base == IntBase && a.Dims <= 1
		x.nonsc = x.nonsc || a.Dims > 0
	case Reals:
		ok = a.Dims <= 1 && (a.Base == IntBase || a.Base == RealBase) || a.Dims == 0 && (a.Base == VectorBase || a.Base == RowVectorBase)
		x.nonsc = x.nonsc || a.Rank() > 0
		if ok {
			t = a.AsReal()
		}
	case Vectors:
		ok = a.Dims <= 1 && (a.Base == VectorBase || a.Base == RowVectorBase)
		x.nonsc = x.nonsc || a.Dims > 0
	case AnyT, AnyC, AnyI:
		return t, x.container(i, p, a)
	default:
		ok = false
	}
	if !ok {
		x.fail(i, WrongType, p.typeString())
	}
	return t, ok
}

// container matches the patterns T, I and C: scalars go with everything, containers
// must agree. An array of int stands beside a vector or a matrix of as many indices
// where its pattern is I.
func (x *matcher) container(i int, p Param, a Type) bool {
	fits := a.Base == IntBase || p.Pattern != AnyI && (a.Base == RealBase || a.Base >= VectorBase && a.Base <= MatrixBase) ||
		p.Pattern == AnyC && a.Base.IsComplex()
	if !fits {
		x.fail(i, WrongType, p.typeString())
		return false
	}
	if a.IsScalar() {
		return true
	}
	if p.Pattern == AnyI {
		if x.ints.Base == VoidBase {
			x.ints = a
		}
	} else if x.shape.Base == VoidBase {
		x.shape = a.AsReal()
	} else if !x.shape.Equal(a.AsReal()) {
		x.fail(i, WrongContainer, x.shape.String())
		return false
	}
	if x.ints.Base != VoidBase && (p.Pattern == AnyI && a.Dims != x.ints.Dims ||
		x.shape.Base != VoidBase && x.shape.Rank() != x.ints.Rank()) {
		x.fail(i, WrongContainer, p.typeString())
		return false
	}
	return true
}

// result fills in the patterns of the result.
func (x *matcher) result(p Param) Type {
	box := x.shape
	if box.Base == VoidBase {
		box = x.ints.AsReal()
	}
	if box.Base == VoidBase {
		box = Real
	}
	switch p.Pattern {
	case ResultR, ResultCR:
		return box
	case AnyC:
		return box.AsComplex()
	case AnyT, AnyI:
		return x.argumentType()
	case Any:
		return ArrayOf(x.any, p.Type.Dims)
	case Reals:
		return ArrayOf(Real, boolInt(x.nonsc))
	case Ints:
		return ArrayOf(Int, boolInt(x.nonsc))
	case Vectors:
		return ArrayOf(Vector, boolInt(x.nonsc))
	}
	return p.Type
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// argumentType is what "T" means as a result: the common type of the arguments that
// stand for T or I, scalars taking the shape of containers.
func (x *matcher) argumentType() Type {
	number, box := Int, Type{}
	for i, p := range x.m.Sig.Params {
		if p.Pattern != AnyT && p.Pattern != AnyI || i >= len(x.args) {
			continue
		}
		a := x.args[i].Type
		if c, ok := Common(number, a.Scalar()); ok {
			number = c
		}
		if !a.IsScalar() && box.Base == VoidBase {
			box = a
		}
	}
	if box.Base == VoidBase {
		return number
	}
	if box.Base == IntBase || box.Base == RealBase {
		box.Base = number.Base
	}
	return box
}
