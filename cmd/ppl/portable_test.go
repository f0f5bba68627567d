package main

// This file holds what makes a seed give the same bytes on every processor: of packages whose results
// depend on the processor nothing is called but what is exact or rounded once.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// portable are, of packages that have more, the names that may be used: types, constants, and functions
// whose results are exact or correctly rounded.
var portable = map[string]string{
	"math": `Abs Ceil Copysign FMA Float32bits Float32frombits Float64bits Float64frombits Floor Frexp Inf IsInf IsNaN Ldexp
		Max Min Mod Modf NaN Nextafter Remainder Round RoundToEven Signbit Sqrt Trunc
		E Ln10 Ln2 Log10E Log2E MaxFloat32 MaxFloat64 MaxInt MaxInt16 MaxInt32 MaxInt64 MaxInt8 MaxUint16 MaxUint32 MaxUint64 MaxUint8
		MinInt MinInt16 MinInt32 MinInt64 MinInt8 Phi Pi SmallestNonzeroFloat64 Sqrt2 SqrtE SqrtPi`,
	"math/cmplx":   "",
	"math/rand":    "",
	"math/rand/v2": "ChaCha8 New NewChaCha8 NewPCG PCG Rand Source Uint32N",
	// Operations on elements one by one. Sums are in another order on amd64 than elsewhere, and fused there.
	"gonum.org/v1/gonum/floats": "Add AddTo Max Min Scale ScaleTo Sub SubTo",
}

// variates are the methods of a stream of random numbers that stdlib/variate stands for.
const variates = "NormFloat64 ExpFloat64 IntN Int64N Int32N UintN Uint64N Perm Shuffle"

// notInPpl are folders of programs that ppl is not made of: those that write its source or measure it.
var notInPpl = []string{"autodiff/vec/gen", "cmd/ppl/extra", "examples", "infer/infertest", "ir/bind/bindtest"}

func TestPortableCalls(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() && fits(wholeTrees(notInPpl), filepath.ToSlash(below)) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		checkPortable(t, path, below)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files were read", files)
	}
}

func wholeTrees(folders []string) []string {
	var all []string
	for _, f := range folders {
		all = append(all, f+"/...")
	}
	return all
}

func checkPortable(t *testing.T, path, shown string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]string{}
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		list, limited := portable[name]
		if !limited && !strings.HasPrefix(name, "gonum.org/v1/gonum/") {
			continue
		}
		if i.Name != nil {
			t.Errorf("%s: %s is imported under another name", shown, name)
		}
		base := strings.TrimSuffix(name, "/v2")
		allowed[base[strings.LastIndexByte(base, '/')+1:]] = " " + strings.Join(strings.Fields(list), " ") + " "
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 0 {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Perm" {
				return false // of a file's mode
			}
		}
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, _ := s.X.(*ast.Ident)
		list, limited := "", false
		if of != nil {
			list, limited = allowed[of.Name]
		}
		switch place := files.Position(s.Pos()); {
		case limited && !strings.Contains(list, " "+s.Sel.Name+" "):
			t.Errorf("%s:%d: %s.%s differs between processors; autodiff/libm, autodiff/mat, autodiff/vec, stdlib/special or stdlib/variate have what does not", shown, place.Line, of.Name, s.Sel.Name)
		case strings.Contains(" "+variates+" ", " "+s.Sel.Name+" ") && (of == nil || of.Name != "variate"):
			t.Errorf("%s:%d: %s differs between processors; stdlib/variate has one that does not", shown, place.Line, s.Sel.Name)
		}
		return true
	})
}
