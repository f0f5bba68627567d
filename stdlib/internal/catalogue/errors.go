package catalogue

import "fmt"

// A DomainError says that a function was called with arguments it does not take.
// In a log density it rejects the proposal (it is recoverable).
type DomainError struct {
	Func string // such as "normal_lpdf"
	Text string // such as "sigma is -1, but must be positive"

	// Integer reports that the argument at fault is an integer, and that no real argument
	// would mend it.
	Integer bool
}

// Error returns the message.
func (e *DomainError) Error() string { return e.Func + ": " + e.Text }

// Recoverable reports that the error is a rejection, not a fault of the program.
func (e *DomainError) Recoverable() bool { return true }

// DomainErrorf makes a DomainError.
func DomainErrorf(fn, format string, args ...any) error {
	return &DomainError{Func: fn, Text: fmt.Sprintf(format, args...)}
}
