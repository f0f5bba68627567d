package system

// This file reads what disk there is on Linux.

import "syscall"

// FreeDisk is what is free for files below a folder.
func FreeDisk(dir string) (bytes float64, ok bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0, false
	}
	return float64(s.Bavail) * float64(s.Bsize), true
}
