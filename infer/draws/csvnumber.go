// This file reads the numbers of CSV files.

package draws

var comma = []byte{','}

// powers are those of ten that are exact.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimal is the number of a text of a sign, digits, a point and an exponent, where one operation on exact numbers is the
// correctly rounded result (Clinger 1990); all others are left to package strconv.
func decimal(text []byte) (v float64, ok bool) {
	i, negative := 0, false
	if len(text) > 0 && text[0] == '-' {
		i, negative = 1, true
	}
	var digits uint64
	exponent, from, seen, pointed := 0, i, 0, false
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' && !pointed {
			pointed, from = true, i+1
			continue
		}
		if c -= '0'; c > 9 {
			break
		}
		digits = 10*digits + uint64(c)
		seen++
	}
	if pointed {
		exponent = from - i
	}
	if seen == 0 || seen > 18 {
		return 0, false
	}
	if i < len(text) {
		e, ok := decimalExponent(text[i:])
		if !ok {
			return 0, false
		}
		exponent += e
	}
	if digits > 1<<53 || exponent > 22 || exponent < -22 {
		return 0, false
	}
	v = float64(digits)
	if exponent < 0 {
		v /= powers[-exponent]
	} else {
		v *= powers[exponent]
	}
	if negative {
		v = -v
	}
	return v, true
}

// decimalExponent reads "e-07".
func decimalExponent(text []byte) (e int, ok bool) {
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	text = text[1:]
	negative := len(text) > 0 && text[0] == '-'
	if negative || len(text) > 0 && text[0] == '+' {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 3 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		e = 10*e + int(c-'0')
	}
	if negative {
		e = -e
	}
	return e, true
}
