// Package special has the special functions behind the library: pure numerical
// functions of float64, without any notion of the language.
//
// Functions return NaN outside their domain and never panic. Where a probability has
// two tails both are given, each to full relative accuracy and on the log scale, and
// derivatives with respect to parameters come with the values. Everything here is
// stateless and safe for concurrent use.
package special
