package check

// This file holds what functions a program may call.

import "github.com/seed-12b88e03/ppl/lang/types"

// A functionTable holds the library's functions and the program's own.
type functionTable struct {
	lib   types.Library
	funcs map[string][]*Function // the program's, by name
}

// forms returns all signatures of a name, the user's first.
func (t *functionTable) forms(name string) []*types.Signature {
	var out []*types.Signature
	for _, f := range t.funcs[name] {
		out = append(out, f.Sig)
	}
	return append(out, t.lib.Signatures(name)...)
}

// userFunction finds the user's function that a signature belongs to, nil for
// built-ins.
func (t *functionTable) userFunction(sig *types.Signature) *Function {
	for _, f := range t.funcs[sig.Name] {
		if f.Sig == sig {
			return f
		}
	}
	return nil
}

// isBuiltin reports whether a built-in function takes exactly these arguments.
func (t *functionTable) isBuiltin(sig *types.Signature) bool {
	args := make([]types.Arg, len(sig.Params))
	for i, p := range sig.Params {
		args[i] = types.Arg{Type: p.Type, Data: true}
	}
	m, mis := types.Resolve(t.lib.Signatures(sig.Name), args)
	return mis == nil && m.Steps == 0
}

// isHigherOrder reports whether a built-in takes functions: such a name cannot be
// overloaded.
func (t *functionTable) isHigherOrder(name string) bool {
	for _, sig := range t.lib.Signatures(name) {
		for _, p := range sig.Params {
			if p.Pattern == types.Rest || p.Type.Base == types.FuncBase {
				return true
			}
		}
	}
	return false
}
