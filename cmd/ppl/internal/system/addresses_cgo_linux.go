//go:build cgo

package system

// Each thread of the C library takes 72 to 136 MB of addresses for its stack and its pieces of memory.
const (
	fewestAddresses = 2.2e9
	addressesHelp   = "; built with CGO_ENABLED=0 it needs less than half of them"
)
