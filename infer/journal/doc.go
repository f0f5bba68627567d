// Package journal keeps the chains of a run in a folder, so that a later run goes on
// where the first was cut off, be it by a kill, a full disk or the loss of power.
//
// A chain has three files:
//
//	chain-1.rows   rows of draws, numbers of 8 bytes, appended
//	chain-1.state  the latest checkpoint: replaced as a whole
//	chain-1.tuned  the tuning that warm-up arrived at, which no longer changes
//
// A checkpoint is written after the rows before it have reached the disk, under another
// name, and gets its own when it has, too. So at every moment the folder holds a whole
// checkpoint with its rows, or, before the first is due, none; rows after it are cut off and drawn again, which gives the
// same numbers. A checkpoint carries the CRC-32C of its own bytes, of the rows before it and of
// the tuning: a file that is not what was written is an error, and never the start of other
// draws. The files are for the same version of ppl and no interchange format.
//
// A Dir may be used by the chains of a run at the same time. No two runs may use one
// folder at the same time; that is the caller's care.
package journal
