//go:build !((amd64 && (linux || darwin)) || (arm64 && linux))

// Systems without native code.

package native

// Reason reports why there is no native code on this machine.
func Reason() string { return "there is none for this system" }

func executable([]byte) ([]byte, error) { return nil, errRefused }

func release([]byte) {}

func call(uintptr, *float64) {}

func loop(uintptr, *float64, **float64, *float64, int, int) {}
