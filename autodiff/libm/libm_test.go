package libm

// This file compares the functions with values computed to 40 digits (mpmath 1.3), and their
// special cases with those of package math.

import (
	"math"
	"testing"
)

type point struct{ x, want float64 }

// values are the functions, the error allowed in units of the last place, and points. The
// gamma function loses what Stirling's exponent does.
var values = []struct {
	name  string
	f     func(float64) float64
	limit float64
	at    []point
}{
	{"Lgamma", logGamma, 2, []point{
		{1e-09, 20.72326583636919542980127}, {0.3, 1.095797994818075560562999}, {0.72, 0.2370251740562950657887048},
		{0.9, 0.06637623973474295442597111}, {1.001, -0.0005763935982833061515191624}, {1.3, -0.1081748095078604784591629},
		{1.45, -0.121420590740306917981519}, {1.7, -0.09580769740706587378829239}, {1.999, -0.0004224618006921072841757456},
		{2.2, 0.09694746679063887317795209}, {2.6, 0.3574118635489798367686911}, {5.3, 3.639636069066685599811708},
		{9.1, 10.81925232511043283671367}, {170.2, 702.4639526315308119661587}, {10000000000.0, 220258509288.8105814700419},
		{1e+300, 6.897755278982137414744009e+302}, {-0.4, 1.314524589943389943497849}, {-3.3, -0.824355805017426460151013},
	}},
	{"Gamma", Gamma, 60, []point{
		{1e-09, 999999999.4227842738059317}, {1e-300, 9.999999999999999749409082e+299}, {0.3, 2.991568987687590744642161},
		{0.9, 1.068628702119319336984154}, {1.2, 0.9181687423997606224265197}, {1.7, 0.9086387328532904415615657},
		{2.4, 1.242169344504305332880573}, {3.1, 2.197620278392477241861883}, {12.7, 225322480.2414184855962931},
		{31.5, 1.470922564714727123332983e+33}, {101.3, 3.722616312784224627506857e+158}, {171.2, 2.0285135805156115145914e+307},
		{-0.4, -3.722980622032042676676917}, {-2.7, -0.9310827848389639654585959}, {-12.6, -1.49361349167763965698037e-9},
		{-44.3, -4.67351847725853212204884e-55}, {-171.5, 1.931626543171199600472393e-310},
	}},
	{"Exp2", Exp2, 1, []point{
		{-1030.3, 7.059849897039635248097762e-311}, {-1.2, 0.4352752816480620829667432}, {0.3, 1.231144413344916275025146},
		{77.7, 2.454882234997276498606469e+23}, {1023.9, 1.677307003485741556096033e+308},
	}},
	{"Log2", Log2, 2, []point{
		{1e-300, -996.5784284662087043249432}, {0.3, -1.736965594166206219807022}, {0.9, -0.1520030934450499493692137},
		{1.003, 0.004321605950093467590880172}, {1.99, 0.9927684307689241363780273}, {8, 3.0},
		{12345.6, 13.5917093331617411940516}, {1e+300, 996.5784284662087044368442},
	}},
	{"Log10", Log10, 2, []point{
		{1e-300, -299.999999999999999989117}, {0.3, -0.5228787452803375787770965}, {0.9, -0.04575749056067511469519457},
		{1.003, 0.001300933020418071882401186}, {1.99, 0.2988530764097066481616751}, {12345.6, 4.09151220162777169386711},
		{1e+300, 300.0000000000000000228025},
	}},
	{"Sinh", Sinh, 2, []point{
		{1e-200, 9.999999999999999821002624e-201}, {-1e-05, -1.000000000016666748469804e-5}, {0.02, 0.02000133336000025438608181},
		{-0.7, -0.7585837018395334477191735}, {3.3, 13.53787787662832129932442}, {-40.1, -130070475725875519.8460063},
		{709.7, 8.274920138401322015401251e+307}, {710.3, 1.507788755590971004365454e+308},
	}},
	{"Cosh", Cosh, 2, []point{
		{1e-200, 1.0}, {-1e-05, 1.000000000050000000000417}, {0.02, 1.000200006666755556198806},
		{-0.7, 1.255169005630942984476791}, {3.3, 13.57476104402956131132179}, {-40.1, 130070475725875519.8460063},
		{709.7, 8.274920138401322015401251e+307}, {710.3, 1.507788755590971004365454e+308},
	}},
}

func logGamma(x float64) float64 {
	v, _ := Lgamma(x)
	return v
}

func ulps(got, want float64) float64 {
	unit := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
	return math.Abs(got-want) / unit
}

func TestValues(t *testing.T) {
	for _, v := range values {
		for _, p := range v.at {
			if got := v.f(p.x); !(ulps(got, p.want) <= v.limit) {
				t.Errorf("%s(%g) is %g, should be %g", v.name, p.x, got, p.want)
			}
		}
	}
}

func TestFactorials(t *testing.T) {
	factorial := 1.0
	for n := 1.0; n <= 22; n++ {
		if got := Gamma(n); got != factorial {
			t.Errorf("Gamma(%g) is %g, should be %g", n, got, factorial)
		}
		factorial *= n
	}
}

func TestHypot(t *testing.T) {
	for _, scale := range []float64{1e-320, 1e-300, 1, 1e150, 1e307} {
		if got, want := Hypot(-3*scale, 4*scale), 5*scale; !(ulps(got, want) <= 1) {
			t.Errorf("Hypot of 3 and 4 times %g is %g, should be %g", scale, got, want)
		}
	}
	if got := Hypot(1, 1); got != math.Sqrt2 {
		t.Errorf("Hypot(1, 1) is %g", got)
	}
}

func TestSpecialCases(t *testing.T) {
	lgamma := func(x float64) float64 {
		v, _ := math.Lgamma(x)
		return v
	}
	inf := math.Inf(1)
	arguments := []float64{0, math.Copysign(0, -1), inf, -inf, math.NaN(), -1, -2, -200, 1, 2, 1000, -1000}
	for _, c := range []struct {
		name    string
		f, want func(float64) float64
	}{
		{"Exp", Exp, math.Exp}, {"Expm1", Expm1, math.Expm1}, {"Log", Log, math.Log}, {"Log1p", Log1p, math.Log1p},
		{"Tanh", Tanh, math.Tanh}, {"Exp2", Exp2, math.Exp2}, {"Log2", Log2, math.Log2}, {"Log10", Log10, math.Log10},
		{"Sinh", Sinh, math.Sinh}, {"Cosh", Cosh, math.Cosh}, {"Gamma", Gamma, math.Gamma}, {"Lgamma", logGamma, lgamma},
		{"Hypot with infinity", func(x float64) float64 { return Hypot(x, inf) }, func(x float64) float64 { return math.Hypot(x, inf) }},
		{"Hypot with NaN", func(x float64) float64 { return Hypot(math.NaN(), x) }, func(x float64) float64 { return math.Hypot(math.NaN(), x) }},
		{"Hypot with 0", func(x float64) float64 { return Hypot(x, 0) }, func(x float64) float64 { return math.Hypot(x, 0) }},
	} {
		for _, x := range arguments {
			got, want := c.f(x), c.want(x)
			same := math.IsNaN(got) && math.IsNaN(want) || got == want && math.Signbit(got) == math.Signbit(want)
			if !same && !(ulps(got, want) <= 2) {
				t.Errorf("%s(%g) is %g, should be %g", c.name, x, got, want)
			}
		}
	}
}
