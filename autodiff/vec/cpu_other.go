//go:build !amd64

// The choice of instructions where there is no assembly.

package vec

func sets() []*set { return []*set{portable} }
