//go:build linux || darwin

// What must be true of a processor of amd64.

package native

// cpuid and xgetbv are the instructions.
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
func xgetbv() (eax, edx uint32)

// lacking reports what the machine lacks; empty where it lacks nothing.
func lacking() string {
	if !hasAVX2() {
		return "the processor lacks AVX2 or FMA"
	}
	return ""
}

// hasAVX2 reports whether processor and system support AVX2 and FMA (Intel 64 and IA-32
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

// publish has nothing to do: stores are seen by all instruction caches.
func publish([]byte) error { return nil }
