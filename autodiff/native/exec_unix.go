//go:build amd64 && (linux || darwin)

// Executable memory, and what must be true of the processor.

package native

import (
	"fmt"
	"sync"
	"syscall"
)

// call runs machine code with the arena's address in rdi. The code is a leaf function: it
// uses no stack but for its return address, and may change all vector registers, rax
// and the flags.
//
//go:noescape
func call(code uintptr, arena *float64)

// loop is call for a loop: the addresses of inputs are in rsi, that of the output is in rbx,
// the first round in rcx, and how many there are, one at least, in rdx; the last two may be
// changed, too.
//
//go:noescape
func loop(code uintptr, arena *float64, inputs **float64, output *float64, from, rounds int)

// cpuid and xgetbv are the instructions.
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
func xgetbv() (eax, edx uint32)

// Reason says why there is no native code on this machine; empty where there is.
var Reason = sync.OnceValue(func() string {
	if !hasAVX2() {
		return "the processor lacks AVX2 or FMA"
	}
	mem, err := executable([]byte{0xc3})
	if err != nil {
		return err.Error()
	}
	release(mem)
	return ""
})

// hasAVX2 says whether processor and system support AVX2 and FMA (Intel 64 and IA-32
// Architectures Software Developer's Manual, volume 1, 14.3, 14.5.3 and 14.7.1).
func hasAVX2() bool {
	most, _, _, _ := cpuid(0, 0)
	if most < 7 {
		return false
	}
	const (
		fma     = 1 << 12
		osxsave = 1 << 27
		avx     = 1 << 28
		avx2    = 1 << 5
		saved   = 1<<1 | 1<<2 // the system saves xmm and ymm
	)
	if _, _, ecx, _ := cpuid(1, 0); ecx&(fma|osxsave|avx) != fma|osxsave|avx {
		return false
	}
	if eax, _ := xgetbv(); eax&saved != saved {
		return false
	}
	_, ebx, _, _ := cpuid(7, 0)
	return ebx&avx2 != 0
}

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
	return mem, nil
}

// release gives the memory back. It can only fail for memory that is not ours.
func release(mem []byte) { _ = syscall.Munmap(mem) }
