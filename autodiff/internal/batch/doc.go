// Package batch evaluates a program at several points in one pass, each in a lane of the registers.
package batch
