// Densities of the library beside the same densities written by hand.

package lang

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A byHand is one density twice. data says what y holds, normal numbers where it says nothing, and "k" that there is a size k.
type byHand struct{ name, data, declared, parameters, library, hand string }

var densitiesByHand = []byHand{
	{"normal_id_glm", "y:normal", "int n; vector[n] y; matrix[n,3] X;", "real a; vector[3] b; real<lower=0> s;", `y ~ normal_id_glm(X,a,b,s);`, `for(i in 1:n) target += normal_lpdf(y[i]| a + X[i]*b, s);`},
	{"bernoulli_logit_glm", "y:binary", "int n; array[n] int y; matrix[n,3] X;", "real a; vector[3] b;", `y ~ bernoulli_logit_glm(X,a,b);`, `for(i in 1:n) target += y[i]==1 ? -log1p_exp(-(a + X[i]*b)) : -log1p_exp(a+X[i]*b);`},
	{"poisson_log_glm", "y:count", "int n; array[n] int y; matrix[n,3] X;", "real a; vector[3] b;", `y ~ poisson_log_glm(X,a,b);`, `for(i in 1:n) {real e = a + X[i]*b; target += y[i]*e - exp(e);}`},
	{"neg_binomial_2_log_glm", "y:count", "int n; array[n] int y; matrix[n,3] X;", "real a; vector[3] b; real<lower=0> p;", `y ~ neg_binomial_2_log_glm(X,a,b,p);`, `for(i in 1:n) {real e = a + X[i]*b; target += lchoose(y[i]+p-1,y[i]) + y[i]*(e - log(exp(e)+p)) - p*log1p(exp(e)/p);}`},
	{"ordered_logistic", "y:category", "int n; array[n] int y; vector[n] x;", "real b; ordered[3] c;", `y ~ ordered_logistic(b*x,c);`, `for(i in 1:n) {real e=b*x[i]; if (y[i]==1) target += log_inv_logit(c[1]-e); else if (y[i]==4) target += log1m_inv_logit(c[3]-e); else target += log(inv_logit(c[y[i]]-e)-inv_logit(c[y[i]-1]-e)); }`},
	{"ordered_probit", "y:category", "int n; array[n] int y; vector[n] x;", "real b; ordered[3] c;", `for(i in 1:n) y[i] ~ ordered_probit(b*x[i],c);`, `for(i in 1:n) {real e=b*x[i]; if (y[i]==1) target += log(Phi(c[1]-e)); else if (y[i]==4) target += log(Phi(e-c[3])); else target += log(c[y[i]] > e ? Phi(e-c[y[i]-1])-Phi(e-c[y[i]]) : Phi(c[y[i]]-e)-Phi(c[y[i]-1]-e)); }`},
	{"categorical_logit", "y:category", "int n; array[n] int y; vector[n] x;", "vector[4] b;", `for(i in 1:n) y[i] ~ categorical_logit(b*x[i]);`, `for(i in 1:n) {vector[4] e=b*x[i]; target += e[y[i]]-log_sum_exp(e);}`},
	{"student_t", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s; real<lower=1> nu;", `y ~ student_t(nu,a*x,s);`, `for(i in 1:n) target += lgamma((nu+1)/2)-lgamma(nu/2)-.5*log(nu)-log(s)-(nu+1)/2*log1p(square((y[i]-a*x[i])/s)/nu);`},
	{"skew_normal", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s; real k;", `y ~ skew_normal(a*x,s,k);`, `for(i in 1:n) {real z=(y[i]-a*x[i])/s; target += -log(s)-.5*square(z)+log(erfc(-k*z/sqrt2()));}`},
	{"exp_mod_normal", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s; real<lower=0> k;", `y ~ exp_mod_normal(a*x,s,k);`, `for(i in 1:n) {real m=a*x[i]; target += log(k)+k/2*(2*m+k*square(s)-2*y[i])+log(erfc((m+k*square(s)-y[i])/(sqrt2()*s)));}`},
	{"von_mises", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> k;", `y ~ von_mises(a*x,k);`, `for(i in 1:n) target += k*cos(y[i]-a*x[i])-log(modified_bessel_first_kind(0,k));`},
	{"beta_proportion", "y:unit", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> k;", `y ~ beta_proportion(inv_logit(a*x),k);`, `for(i in 1:n) {real m=inv_logit(a*x[i]); target += -lbeta(m*k,(1-m)*k)+(m*k-1)*log(y[i])+((1-m)*k-1)*log1m(y[i]);}`},
	{"gamma", "y:positive", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> k;", `y ~ gamma(k, k*exp(-a*x));`, `for(i in 1:n) {real r=k*exp(-a*x[i]); target += k*log(r)-lgamma(k)+(k-1)*log(y[i])-r*y[i];}`},
	{"weibull", "y:positive", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> k;", `y ~ weibull(k, exp(a*x));`, `for(i in 1:n) {real l=a*x[i]; target += log(k)-l+(k-1)*(log(y[i])-l)-exp(k*(log(y[i])-l));}`},
	{"beta_binomial", "y:count", "int n; array[n] int y; vector[n] x;", "real a; real<lower=0> k;", `y ~ beta_binomial(8, k*inv_logit(a*x), k*inv_logit(-a*x));`, `for(i in 1:n) {real m=inv_logit(a*x[i]); target += lbeta(y[i]+m*k,8-y[i]+(1-m)*k)-lbeta(m*k,(1-m)*k)+lchoose(8,y[i]);}`},
	{"neg_binomial_2", "y:count", "int n; array[n] int y; vector[n] x;", "real a; real<lower=0> p;", `y ~ neg_binomial_2(exp(a*x),p);`, `for(i in 1:n) {real m=exp(a*x[i]); target += lgamma(y[i]+p)-lgamma(p)-lgamma(y[i]+1)+y[i]*log(m/(m+p))+p*log(p/(m+p));}`},
	{"binomial_logit", "y:count", "int n; array[n] int y; vector[n] x;", "real a; real b;", `y ~ binomial_logit(8, a+b*x);`, `for(i in 1:n) {real e=a+b*x[i]; target += lchoose(8,y[i])+y[i]*log_inv_logit(e)+(8-y[i])*log1m_inv_logit(e);}`},
	{"logistic", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s;", `y ~ logistic(a*x,s);`, `for(i in 1:n) {real z=(y[i]-a*x[i])/s; target += -z-log(s)-2*log1p_exp(-z);}`},
	{"double_exponential", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s;", `y ~ double_exponential(a*x,s);`, `for(i in 1:n) target += -log(2*s)-abs(y[i]-a*x[i])/s;`},
	{"cauchy", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s;", `y ~ cauchy(a*x,s);`, `for(i in 1:n) target += -log(s)-log1p(square((y[i]-a*x[i])/s));`},
	{"gumbel", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s;", `y ~ gumbel(a*x,s);`, `for(i in 1:n) {real z=(y[i]-a*x[i])/s; target += -log(s)-z-exp(-z);}`},
	{"lognormal", "y:positive", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s;", `y ~ lognormal(a*x,s);`, `for(i in 1:n) target += -log(s)-.5*square((log(y[i])-a*x[i])/s);`},
	{"log_mix", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s; real<lower=0,upper=1> p;", `for(i in 1:n) target += log_mix(p,normal_lpdf(y[i]|a,s),normal_lpdf(y[i]|-a,1));`, `for(i in 1:n) target += log(p*exp(normal_lpdf(y[i]|a,s))+(1-p)*exp(normal_lpdf(y[i]|-a,1)));`},
	{"log_sum_exp", "", "int n; vector[n] y; vector[n] x;", "ordered[3] a; real<lower=0> s; simplex[3] p;", `for(i in 1:n) {vector[3] l=log(p); for(k in 1:3) l[k]+=normal_lpdf(y[i]|a[k],s); target += log_sum_exp(l);}`, `for(i in 1:n) target += log(p[1]*exp(normal_lpdf(y[i]|a[1],s))+p[2]*exp(normal_lpdf(y[i]|a[2],s))+p[3]*exp(normal_lpdf(y[i]|a[3],s)));`},
	{"weibull_lccdf", "y:positive", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> k;", `target += weibull_lccdf(y|k, exp(a*x));`, `for(i in 1:n) target += -exp(k*(log(y[i])-a*x[i]));`},
	{"normal_lccdf", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=0> s;", `target += normal_lccdf(y|a*x, s);`, `for(i in 1:n) target += log(.5*erfc((y[i]-a*x[i])/s/sqrt2()));`},
	{"multi_normal_cholesky", "k", "int n; int k; array[n] vector[k] y;", "vector[k] m; cholesky_factor_cov[k] L;", `y ~ multi_normal_cholesky(m,L);`, `for(i in 1:n) {vector[k] z=mdivide_left_tri_low(L,y[i]-m); target += -.5*dot_self(z)-sum(log(diagonal(L)));}`},
	{"multi_normal", "k", "int n; int k; array[n] vector[k] y;", "vector[k] m; cov_matrix[k] S;", `y ~ multi_normal(m,S);`, `for(i in 1:n) target += -.5*log_determinant(S)-.5*quad_form(inverse(S),y[i]-m);`},
	{"multi_student_t", "k", "int n; int k; array[n] vector[k] y;", "vector[k] m; cov_matrix[k] S; real<lower=1> nu;", `y ~ multi_student_t(nu,m,S);`, `{matrix[k,k] L=cholesky_decompose(S); for(i in 1:n) {vector[k] z=mdivide_left_tri_low(L,y[i]-m); target += lgamma((nu+k)/2)-lgamma(nu/2)-k/2.0*log(nu)-(nu+k)/2*log1p(dot_self(z)/nu)-sum(log(diagonal(L)));}}`},
	{"multi_normal_prec", "k", "int n; int k; array[n] vector[k] y;", "vector[k] m; cov_matrix[k] S;", `y ~ multi_normal_prec(m,S);`, `{for(i in 1:n) target += .5*log_determinant(S)-.5*quad_form(S,y[i]-m);}`},
	{"wishart", "k", "int k;", "cov_matrix[k] W;", `W ~ wishart(k+2,identity_matrix(k));`, `target += .5*log_determinant(W)-.5*trace(W);`},
	{"inv_wishart", "k", "int k;", "cov_matrix[k] W;", `W ~ inv_wishart(k+2,identity_matrix(k));`, `target += -.5*(2*k+3)*log_determinant(W)-.5*trace(inverse(W));`},
	{"lkj_corr", "k", "int k;", "corr_matrix[k] W;", `W ~ lkj_corr(2.5);`, `target += 1.5*log_determinant(W);`},
	{"lkj_corr_cholesky", "k", "int k;", "cholesky_factor_corr[k] W;", `W ~ lkj_corr_cholesky(2.5);`, `for(i in 2:k) target += (k-i+3.0)*log(W[i,i]);`},
	{"dirichlet_multinomial", "k y:counts", "int n; int k; array[n,k] int y;", "vector<lower=0>[k] a;", `for(i in 1:n) y[i] ~ dirichlet_multinomial(a);`, `for(i in 1:n) {target += lgamma(sum(a))-lgamma(sum(a)+sum(y[i])); for(j in 1:k) target += lgamma(y[i,j]+a[j])-lgamma(a[j]);}`},
	{"dirichlet", "k y:simplexes", "int n; int k; array[n] simplex[k] y;", "vector<lower=0>[k] a;", `y ~ dirichlet(a);`, `for(i in 1:n) {target += lgamma(sum(a)); for(j in 1:k) target += (a[j]-1)*log(y[i,j])-lgamma(a[j]);}`},
	{"dirichlet of parameters", "k", "int n; int k;", "array[n] simplex[k] y; vector<lower=0>[k] a;", `y ~ dirichlet(a);`, `for(i in 1:n) {target += lgamma(sum(a)); for(j in 1:k) target += (a[j]-1)*log(y[i,j])-lgamma(a[j]);}`},
	{"multinomial", "k y:counts", "int n; int k; array[n,k] int y;", "simplex[k] a;", `for(i in 1:n) y[i] ~ multinomial(a);`, `for(i in 1:n) target += dot_product(to_vector(y[i]),log(a));`},
	{"multinomial_logit", "k y:counts", "int n; int k; array[n,k] int y;", "vector[k] a;", `for(i in 1:n) y[i] ~ multinomial_logit(a);`, `for(i in 1:n) target += dot_product(to_vector(y[i]),a)-sum(y[i])*log_sum_exp(a);`},
	{"hmm_marginal", "k", "int n; int k;", "ordered[k] m; array[k] simplex[k] T; vector[n] y;", `{matrix[k,n] l; matrix[k,k] G; for(i in 1:k){ G[i]=T[i]'; for(t in 1:n) l[i,t]=normal_lpdf(y[t]|m[i],1);} target += hmm_marginal(l,G,rep_vector(1.0/k,k));}`, `{vector[k] a; vector[k] b; for(i in 1:k) a[i]=-log(k)+normal_lpdf(y[1]|m[i],1); for(t in 2:n){ for(j in 1:k){ vector[k] c; for(i in 1:k) c[i]=a[i]+log(T[i,j]); b[j]=log_sum_exp(c)+normal_lpdf(y[t]|m[j],1);} a=b;} target += log_sum_exp(a);}`},
	{"gaussian_dlm_obs", "", "int n; vector[n] y;", "vector<lower=0>[2] w; real<lower=0> v; real r;", `{matrix[1,n] z; z[1]=y'; target += gaussian_dlm_obs_lpdf(z | [[1],[0]], [[1,1],[0,r]], [v]', diag_matrix(w), rep_vector(0,2), identity_matrix(2));}`, `{matrix[2,2] G=[[1,1],[0,r]]; vector[2] m=rep_vector(0,2); matrix[2,2] C=identity_matrix(2); for(t in 1:n){ vector[2] f=G*m; matrix[2,2] R=G*C*G'+diag_matrix(w); real q=R[1,1]+v; real e=y[t]-f[1]; vector[2] g=R[:,1]/q; target += -.5*log(q)-.5*square(e)/q; m=f+g*e; C=R-g*g'*q; }}`},
	{"gp_exp_quad_cov", "", "int n; vector[n] y; vector[n] x;", "real<lower=0> a; real<lower=0> r; real<lower=0> s;", `y ~ multi_normal_cholesky(rep_vector(0,n),cholesky_decompose(add_diag(gp_exp_quad_cov(to_array_1d(x),a,r),square(s))));`, `{matrix[n,n] S; for(i in 1:n) for(j in 1:n) S[i,j]=square(a)*exp(-.5*square((x[i]-x[j])/r))+(i==j ? square(s) : 0); y ~ multi_normal(rep_vector(0,n),S);}`},
	{"autoregression", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=-1,upper=1> r; real<lower=0> s;", `y[2:n] ~ normal(a + r*y[1:(n-1)], s);`, `for(t in 2:n) y[t] ~ normal(a + r*y[t-1], s);`},
	{"moving average", "", "int n; vector[n] y; vector[n] x;", "real a; real<lower=-1,upper=1> r; real<lower=0> s;", `{vector[n] e; e[1]=y[1]-a; for(t in 2:n) e[t]=y[t]-a-r*e[t-1]; e ~ normal(0,s);}`, `{real e=y[1]-a; target += normal_lpdf(e|0,s); for(t in 2:n) {e=y[t]-a-r*e; target += normal_lpdf(e|0,s);} }`},
}

// TestDensitiesByHand compares gradients, and differences of log densities, at random points: constants may differ.
func TestDensitiesByHand(t *testing.T) {
	for _, c := range densitiesByHand {
		for _, n := range []int{1, 7, 40} {
			if n == 1 && strings.Contains(c.hand, "2:n") {
				continue
			}
			r := rand.New(rand.NewPCG(uint64(n), 26))
			data := c.values(r, n, 1+n%3)
			library, hand := c.model(t, c.library, data), c.model(t, c.hand, data)
			var gap float64
			for trial := range 4 {
				q := make([]float64, library.Dim())
				for i := range q {
					q[i] = 0.7 * r.NormFloat64()
				}
				g, want := make([]float64, len(q)), make([]float64, len(q))
				lp, err := library.Density(true, false).LogDensityGrad(q, g)
				other, err2 := hand.Density(true, false).LogDensityGrad(q, want)
				if err != nil || err2 != nil {
					t.Fatalf("%s, n = %d: %v, %v", c.name, n, err, err2)
				}
				if trial == 0 {
					gap = lp - other
				}
				scale := 1.0
				for _, v := range want {
					scale = math.Max(scale, math.Abs(v))
				}
				if d := math.Abs(lp - other - gap); !(d <= 1e-9*(1+math.Abs(lp)+math.Abs(other))) {
					t.Errorf("%s, n = %d: log densities differ by %v at one point and by %v at another", c.name, n, gap, lp-other)
				}
				for i := range g {
					if d := math.Abs(g[i] - want[i]); !(d <= 1e-9*scale) {
						t.Errorf("%s, n = %d: derivative %d is %v, written by hand %v", c.name, n, i, g[i], want[i])
					}
				}
			}
		}
	}
}

// values are data of size n, and k where the density has one.
func (c byHand) values(r *rand.Rand, n, k int) map[string]any {
	k++ // 2 to 4: some are written out in another way than single numbers
	out := map[string]any{}
	real := func(draw func() float64, n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = draw()
		}
		return x
	}
	positive := func() float64 { return math.Exp(0.6 * r.NormFloat64()) }
	rows := func(draw func() float64, n, k int) [][]float64 {
		x := make([][]float64, n)
		for i := range x {
			x[i] = real(draw, k)
		}
		return x
	}
	whole := func(n, lo, hi int) []int {
		x := make([]int, n)
		for i := range x {
			x[i] = lo + r.IntN(hi-lo+1)
		}
		return x
	}
	values := map[string]any{"n": n, "k": k, "x": real(r.NormFloat64, n), "X": rows(r.NormFloat64, n, 3)}
	kind := ""
	for _, f := range strings.Fields(c.data) {
		if of, ok := strings.CutPrefix(f, "y:"); ok {
			kind = of
		}
	}
	switch kind {
	case "", "normal":
		values["y"] = real(r.NormFloat64, n)
		if strings.Contains(c.data, "k") {
			values["y"] = rows(r.NormFloat64, n, k)
		}
	case "positive":
		values["y"] = real(positive, n)
	case "unit":
		values["y"] = real(func() float64 { return 0.02 + 0.96*r.Float64() }, n)
	case "binary":
		values["y"] = whole(n, 0, 1)
	case "count":
		values["y"] = whole(n, 0, 6)
	case "category":
		values["y"] = whole(n, 1, 4)
	case "counts":
		y := make([][]int, n)
		for i := range y {
			y[i] = whole(k, 0, 9)
		}
		values["y"] = y
	case "simplexes":
		y := rows(positive, n, k)
		for _, row := range y {
			sum := 0.0
			for _, v := range row {
				sum += v
			}
			for j := range row {
				row[j] /= sum
			}
		}
		values["y"] = y
	}
	for name, v := range values {
		if strings.Contains(c.declared, " "+name+";") {
			out[name] = v
		}
	}
	return out
}

func (c byHand) model(t testing.TB, body string, data map[string]any) *Model {
	t.Helper()
	text := fmt.Sprintf("data { %s }\nparameters { %s }\nmodel { %s }\n", c.declared, c.parameters, body)
	p, err := Compile(c.name, text, Options{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	set, err := p.DataFrom(data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(set, BindOptions{Seed: 1})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	return m
}

// BenchmarkDensitiesByHand has the time of each gradient for n = 6 and 200, the library's and by hand: a ratio above 1 is work that the library
// could leave out.
func BenchmarkDensitiesByHand(b *testing.B) {
	for _, c := range densitiesByHand {
		for _, n := range []int{6, 200} {
			data := c.values(rand.New(rand.NewPCG(uint64(n), 26)), n, 3)
			for _, way := range []struct{ name, body string }{{"library", c.library}, {"hand", c.hand}} {
				m := c.model(b, way.body, data)
				d, q, g := m.Density(true, false), make([]float64, m.Dim()), make([]float64, m.Dim())
				for i := range q {
					q[i] = 0.1
				}
				b.Run(fmt.Sprintf("%s/%d/%s", strings.ReplaceAll(c.name, " ", "_"), n, way.name), func(b *testing.B) {
					for range b.N {
						if _, err := d.LogDensityGrad(q, g); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
