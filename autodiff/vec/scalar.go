// Functions of one number, called by name: the same bits as the kernels.

package vec

// ExpOf gives e^x.
func ExpOf(x float64) float64 { return exp(x) }

// Expm1Of gives e^x - 1.
func Expm1Of(x float64) float64 { return expm1(x) }

// LogOf gives the natural logarithm.
func LogOf(x float64) float64 { return log(x) }

// Log1pOf gives log(1 + x).
func Log1pOf(x float64) float64 { return log1p(x) }

// TanhOf gives the hyperbolic tangent.
func TanhOf(x float64) float64 { return tanh(x) }
