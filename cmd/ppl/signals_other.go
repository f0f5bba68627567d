//go:build !unix

package main

import "os"

// furtherEndings are none where no signal tells that a terminal was closed.
func furtherEndings() []os.Signal { return nil }

func tooLarge(error) bool { return false }
