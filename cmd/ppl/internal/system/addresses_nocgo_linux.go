//go:build !cgo

package system

const (
	fewestAddresses = 0.95e9
	addressesHelp   = ""
)
