// One term of the log densities that are powers of 1 + z*z/nu.

package vec

// powerTerm gives, for w = z*z*inv, the slope power*z/(1+w), the share w/(1+w), and
// 1 + w as splitLog does.
func powerTerm(z, inv, power float64) (slope, ratio, factor, exponent float64) {
	w := float64(z * z * inv)
	d := 1 + w
	share := 1 / d
	f, e := splitLog(d)
	return power * z * share, float64(w * share), f, e
}
