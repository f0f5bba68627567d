//go:build !amd64

// The tile on processors without assembly.

package dense

func tile(k int, a, b, c *float64, stride int) { tilePortable(k, a, b, c, stride) }
