//go:build race

package dense

// raced says that the race detector is at work, under which pools forget on purpose.
const raced = true
