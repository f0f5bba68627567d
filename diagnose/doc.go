// Package diagnose turns draws and statistics into findings.
//
// A Finding is data: what was measured, the bound it is held against, how bad
// that is, what it means and what helps. Nothing here prints, and nothing here
// samples: the wrappers that do are packages below this one. They answer with a
// Verdict.
//
// All functions are pure and safe for concurrent use.
package diagnose
