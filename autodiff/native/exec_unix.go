//go:build (amd64 && (linux || darwin)) || (arm64 && linux)

// Executable memory.

package native

import (
	"fmt"
	"sync"
	"syscall"
)

// call runs machine code on an arena. The code is a leaf function: it uses no stack but for
// its return address, and may change what the trampoline in assembly says.
//
//go:noescape
func call(code uintptr, arena *float64)

// loop is call for a loop of so many iterations, one at least.
//
//go:noescape
func loop(code uintptr, arena *float64, inputs **float64, output *float64, from, rounds int)

// Reason reports why there is no native code on this machine; empty where there is.
var Reason = sync.OnceValue(func() string {
	if r := lacking(); r != "" {
		return r
	}
	e := newProcessor(1)
	start := len(e.code())
	e.ret(false)
	mem, err := executable(e.code()[start:])
	if err != nil {
		return err.Error()
	}
	release(mem)
	return ""
})

// executable copies code into memory of its own, which is writable first and executable
// then.
func executable(code []byte) ([]byte, error) {
	mem, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRefused, err)
	}
	copy(mem, code)
	if err := syscall.Mprotect(mem, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		release(mem)
		return nil, fmt.Errorf("%w: %w", errRefused, err)
	}
	if err := publish(mem); err != nil {
		release(mem)
		return nil, fmt.Errorf("%w: %w", errRefused, err)
	}
	return mem, nil
}

// release returns the memory back. It can only fail for memory that is not ours.
func release(mem []byte) { _ = syscall.Munmap(mem) }
