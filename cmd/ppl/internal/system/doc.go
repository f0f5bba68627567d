// Package system asks the operating system: for locks on folders, signals, free disk, bounds of memory. Where a system has
// none of a kind, nothing is locked, sent, known or bounded.
package system
