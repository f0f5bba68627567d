//go:build bridgestan

// Command bridgestan is a shared library with BridgeStan's C interface (version 2.9) around the program that it carries: the one place with
// cgo. build.sh makes it; ppl bridgestan puts a program into a copy of it.
package main

// #cgo LDFLAGS: -ldl -lpthread
// #include <stdbool.h>
// #include <stdlib.h>
// #include <stdint.h>
// #include "library.h"
import "C"

import (
	"errors"
	"runtime/cgo"
	"strings"
	"sync"
	"unsafe"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/bridge"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

func main() {}

// An opened is a model with the strings that callers were given; they live as long as it does.
type opened struct {
	*bridge.Model
	mu    sync.Mutex
	texts map[string]*C.char
}

// text is a C string for a key, made once.
func (o *opened) text(key string, make func() string) *C.char {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.texts[key] == nil {
		o.texts[key] = C.CString(make())
	}
	return o.texts[key]
}

// pointer is a handle of C: an address that C owns and Go's handle is kept at.
func pointer(v any) unsafe.Pointer {
	p := C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0))))
	*(*cgo.Handle)(p) = cgo.NewHandle(v)
	return p
}

func release(p unsafe.Pointer) {
	(*(*cgo.Handle)(p)).Delete()
	C.free(p)
}

func model(p unsafe.Pointer) *opened { return (*(*cgo.Handle)(p)).Value().(*opened) }

// generator is the RNG of a pointer, which may be null.
func generator(p unsafe.Pointer) *bridge.RNG {
	if p == nil {
		return nil
	}
	return (*(*cgo.Handle)(p)).Value().(*bridge.RNG)
}

// numbers are n numbers of C.
func numbers(p *C.double, n int) []float64 { return unsafe.Slice((*float64)(unsafe.Pointer(p)), n) }

// code runs what may fail, and tells C of an error.
func code(message **C.char, do func() error) C.int {
	err := infer.Guarded(do)
	if err == nil {
		return 0
	}
	if message != nil {
		*message = C.CString(lang.ErrorText(err))
	}
	return -1
}

//export bs_model_construct
func bs_model_construct(data *C.char, seed C.uint, message **C.char) (p unsafe.Pointer) {
	code(message, func() error {
		path := C.ppl_path()
		if path == nil {
			return errors.New("the path of this library is not known")
		}
		c, err := bridge.ReadCarried(C.GoString(path))
		if err != nil {
			return err
		}
		given := ""
		if data != nil {
			given = C.GoString(data)
		}
		m, err := bridge.Open(c, given, uint32(seed), say)
		if err == nil {
			p = pointer(&opened{Model: m, texts: map[string]*C.char{}})
		}
		return err
	})
	return p
}

// say shows what a program prints.
func say(text string) {
	c := C.CString(text + "\n")
	defer C.free(unsafe.Pointer(c))
	C.ppl_print(c, C.size_t(len(text)+1))
}

//export bs_model_destruct
func bs_model_destruct(p unsafe.Pointer) {
	if p == nil {
		return
	}
	for _, text := range model(p).texts {
		C.free(unsafe.Pointer(text))
	}
	release(p)
}

//export bs_free_error_msg
func bs_free_error_msg(message *C.char) { C.free(unsafe.Pointer(message)) }

//export bs_name
func bs_name(p unsafe.Pointer) *C.char {
	m := model(p)
	return m.text("name", func() string { return m.Name })
}

//export bs_model_info
func bs_model_info(p unsafe.Pointer) *C.char {
	return model(p).text("info", func() string { // clients look whether several threads may use it
		return "BridgeStan interface: 2.9.0\nModels by ppl, without Stan\nSTAN_THREADS=true\n"
	})
}

//export bs_param_names
func bs_param_names(p unsafe.Pointer, transformed, quantities C.bool) *C.char {
	key := map[C.bool]string{true: "1", false: "0"}
	return model(p).text("names"+key[transformed]+key[quantities], func() string {
		return strings.Join(model(p).Names(bool(transformed), bool(quantities)), ",")
	})
}

//export bs_param_unc_names
func bs_param_unc_names(p unsafe.Pointer) *C.char {
	m := model(p)
	return m.text("coordinates", func() string { return strings.Join(m.UnconstrainedNames(), ",") })
}

//export bs_param_num
func bs_param_num(p unsafe.Pointer, transformed, quantities C.bool) C.int {
	return C.int(len(model(p).Names(bool(transformed), bool(quantities))))
}

//export bs_param_unc_num
func bs_param_unc_num(p unsafe.Pointer) C.int { return C.int(model(p).Dim()) }

//export bs_param_constrain
func bs_param_constrain(p unsafe.Pointer, transformed, quantities C.bool, q, out *C.double, r unsafe.Pointer, message **C.char) C.int {
	m := model(p)
	return code(message, func() error {
		n := len(m.Names(bool(transformed), bool(quantities)))
		return m.Constrain(bool(transformed), bool(quantities), numbers(q, m.Dim()), numbers(out, n), generator(r))
	})
}

//export bs_param_unconstrain
func bs_param_unconstrain(p unsafe.Pointer, values, q *C.double, message **C.char) C.int {
	m := model(p)
	return code(message, func() error {
		return m.Unconstrain(numbers(values, len(m.Names(false, false))), numbers(q, m.Dim()))
	})
}

//export bs_param_unconstrain_json
func bs_param_unconstrain_json(p unsafe.Pointer, values *C.char, q *C.double, message **C.char) C.int {
	m := model(p)
	return code(message, func() error { return m.UnconstrainJSON(C.GoString(values), numbers(q, m.Dim())) })
}

//export bs_param_initialize
func bs_param_initialize(p unsafe.Pointer, values *C.char, r unsafe.Pointer, radius C.double, tries C.int, jacobian C.bool, q *C.double, message **C.char) C.int {
	m := model(p)
	return code(message, func() error {
		return m.Initialize(C.GoString(values), generator(r), float64(radius), int(tries), bool(jacobian), numbers(q, m.Dim()))
	})
}

//export bs_log_density
func bs_log_density(p unsafe.Pointer, propto, jacobian C.bool, q, lp *C.double, message **C.char) C.int {
	m := model(p)
	return code(message, func() error {
		x, err := m.LogDensity(bool(propto), bool(jacobian), numbers(q, m.Dim()))
		*lp = C.double(x)
		return err
	})
}

//export bs_log_density_gradient
func bs_log_density_gradient(p unsafe.Pointer, propto, jacobian C.bool, q, lp, grad *C.double, message **C.char) C.int {
	m := model(p)
	return code(message, func() error {
		x, err := m.Gradient(bool(propto), bool(jacobian), numbers(q, m.Dim()), numbers(grad, m.Dim()))
		*lp = C.double(x)
		return err
	})
}

//export bs_log_density_hessian
func bs_log_density_hessian(p unsafe.Pointer, propto, jacobian C.bool, q, lp, grad, hessian *C.double, message **C.char) C.int {
	m := model(p)
	return code(message, func() error {
		n := m.Dim()
		x, err := m.Hessian(bool(propto), bool(jacobian), numbers(q, n), numbers(grad, n), numbers(hessian, n*n))
		*lp = C.double(x)
		return err
	})
}

//export bs_log_density_hessian_vector_product
func bs_log_density_hessian_vector_product(p unsafe.Pointer, propto, jacobian C.bool, q, v, lp, product *C.double, message **C.char) C.int {
	m := model(p)
	return code(message, func() error {
		n := m.Dim()
		x, err := m.HessianVector(bool(propto), bool(jacobian), numbers(q, n), numbers(v, n), numbers(product, n))
		*lp = C.double(x)
		return err
	})
}

//export bs_rng_construct
func bs_rng_construct(seed C.uint, _ **C.char) unsafe.Pointer {
	return pointer(bridge.NewRNG(uint32(seed)))
}

//export bs_rng_destruct
func bs_rng_destruct(p unsafe.Pointer) {
	if p != nil {
		release(p)
	}
}
