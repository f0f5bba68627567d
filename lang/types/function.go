// Matching functions that are passed to functions.

package types

// further finds the arguments that function parameter i hands on: the fields of the
// first tuple(...) on its right before the next function, or else the call's
// arguments after the fixed ones. ok is false where what stands for tuple(...) is none, which is
// what is wrong then.
func (x *matcher) further(params []Param, i int) (further []Arg, ok bool) {
	for j := i + 1; j < len(params) && !isFunc(params[j]); j++ {
		if params[j].Pattern != Tuple {
			continue
		}
		if x.args[j].Fields != nil {
			return x.args[j].Fields, true
		}
		for _, f := range x.args[j].Type.Fields {
			further = append(further, Arg{Type: f, Data: x.args[j].Data})
		}
		return further, x.args[j].Type.Base == TupleBase || x.args[j].Type.Base == BadBase
	}
	return x.args[x.taken:], true
}

// function matches a function parameter: of the forms that the name given has, the one that
// fits with the fewest promotions of the further arguments is taken.
func (x *matcher) function(i int, p Param, further []Arg) {
	a := x.args[i]
	x.m.Params[i] = a.Type
	if a.Type.Base == BadBase {
		return
	}
	if a.Type.Base != FuncBase {
		x.fail(i, WrongType, p.typeString())
		return
	}
	best, fewest, equal := -1, 0, false
	for k, form := range a.Funcs {
		steps, ok := x.formFits(p.Type.Fn, form, further)
		switch {
		case !ok:
		case best < 0 || steps < fewest:
			best, fewest, equal = k, steps, false
		case steps == fewest:
			equal = true
		}
	}
	switch {
	case best < 0:
		x.fail(i, WrongFunction, x.wanted(p.Type.Fn, further))
		return
	case equal:
		x.fail(i, AmbiguousFunction, x.wanted(p.Type.Fn, further))
		return
	}
	if x.m.Funcs == nil {
		x.m.Funcs = make([]int, len(x.args))
		for j := range x.m.Funcs {
			x.m.Funcs[j] = -1
		}
	}
	x.m.Funcs[i] = best
	x.m.Params[i] = FuncOf(a.Funcs[best])
	x.promoteFurther(a.Funcs[best], further)
}

// formFits reports whether a function with the signature form can be passed where want
// is asked for, and be called with the further arguments, and how many promotions these
// need. The listed parameters must be the same; what is always data may go to a data-only
// parameter.
func (x *matcher) formFits(want, form *Signature, further []Arg) (steps int, ok bool) {
	fixed := len(want.Params)
	open := fixed > 0 && want.Params[fixed-1].Pattern == Rest
	if open {
		fixed--
	} else {
		further = nil
	}
	if len(form.Params) != fixed+len(further) || !x.fill(want.Result).Equal(form.Result.Type) {
		return 0, false
	}
	for i, p := range want.Params[:fixed] {
		f := form.Params[i]
		if !x.fill(p).Equal(f.Type) || f.Data && !p.Data && !p.Type.HasOnlyInts() {
			return 0, false
		}
	}
	for i, a := range further {
		f := form.Params[fixed+i]
		n, ok := Promote(a.Type, f.Type)
		if !ok || f.Data && !a.Data && a.Type.Base != BadBase {
			return 0, false
		}
		steps += n
	}
	return steps, true
}

// HasOnlyInts reports whether t is int or an array of int.
func (t Type) HasOnlyInts() bool { return t.Base == IntBase }

// fill returns a parameter's type with "any" filled in.
func (x *matcher) fill(p Param) Type {
	if p.Pattern == Any {
		return ArrayOf(x.any, p.Type.Dims)
	}
	return p.Type
}

// promoteFurther notes the types that the further arguments of the call are
// converted to, where they are arguments of the call itself.
func (x *matcher) promoteFurther(form *Signature, further []Arg) {
	if len(further) == 0 || len(x.args) == x.taken || &further[0] != &x.args[x.taken] {
		return
	}
	first := len(form.Params) - len(further)
	for i := range further {
		x.m.Params[x.taken+i] = form.Params[first+i].Type
	}
}

// wanted describes the function that would have fitted.
func (x *matcher) wanted(want *Signature, further []Arg) string {
	full := &Signature{Result: Param{Type: x.fill(want.Result)}}
	for _, p := range want.Params {
		if p.Pattern != Rest {
			full.Params = append(full.Params, Param{Type: x.fill(p), Data: p.Data})
			continue
		}
		for _, a := range further {
			full.Params = append(full.Params, Param{Type: a.Type})
		}
	}
	return full.funcString()
}
