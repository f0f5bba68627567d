// Solves the cases of stan_test.go with Stan's mathematics library, and writes for each the
// solution, its derivatives, and how often the right-hand side was evaluated:
//
//   cases < cases.txt > out.txt
#include <stan/math.hpp>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

static long plain, taped;  // evaluations without and with derivatives

inline void count(double) { ++plain; }
inline void count(const stan::math::var&) { ++taped; }

template <typename Y, typename P>
auto rhs(int problem, double t, const Y& y, const P& p) {
  using T = stan::return_type_t<typename Y::Scalar, typename P::value_type>;
  using std::sin;
  using stan::math::sin;
  Eigen::Matrix<T, -1, 1> d(y.size());
  switch (problem) {
    case 0:
      d << (p[0] - p[1] * y[1]) * y[0], (p[3] * y[0] - p[2]) * y[1];
      break;
    case 1: {
      T i = p[0] * y[0] * y[1] / 763;
      d << -i, i - p[1] * y[1], p[1] * y[1];
      break;
    }
    case 2:
      d << -p[0] * y[0], p[0] * y[0] - p[1] * y[1];
      break;
    case 3:
      d << -p[0] * y[0], p[0] * y[0] - p[1] * y[1] / (p[2] + y[1]);
      break;
    case 4:
      d << p[2] * (y[0] - y[0] * y[0] * y[0] / 3 + y[1]), -(y[0] - p[0] + p[1] * y[1]) / p[2];
      break;
    case 5:
      d << p[0] * y[0] * (1 - y[0] / p[1]);
      break;
    case 6:
      d << y[1], -p[0] * y[0] - p[1] * y[1];
      break;
    case 7:
      d << y[1], -p[0] * sin(y[0]) - p[1] * y[1];
      break;
    case 8: {
      T i = p[0] * y[0] * y[2];
      d << -i, i - p[1] * y[1], p[1] * y[1] - p[2] * y[2], p[2] * y[2];
      break;
    }
    case 9: {
      T c = y[2] * y[2];
      d << p[0] / (1 + c * c) - p[1] * y[0], y[0] - p[1] * y[1], y[1] - p[2] * y[2];
      break;
    }
    case 10:
      d << -p[0] * (y[0] - sin(p[1] * t));
      break;
    case 11: {
      T u = y[0] * y[0] * y[1];
      d << p[0] + u - (p[1] + 1) * y[0], p[1] * y[0] - u;
      break;
    }
    case 12: {
      T b = p[0] * y[0] * y[1] - p[1] * y[2];
      d << -b, p[2] - b, b - p[2] * y[2];
      break;
    }
    case 13:
      d << y[1], p[0] * (1 - y[0] * y[0]) * y[1] - y[0];
      break;
  }
  return d;
}

struct ode_rhs {
  int problem;
  template <typename Y, typename P>
  auto operator()(double t, const Y& y, std::ostream*, const P& p) const {
    auto d = rhs(problem, t, y, p);
    count(d[0]);
    return d;
  }
};

struct dae_rhs {
  int problem;
  template <typename Y, typename Z, typename P>
  auto operator()(double t, const Y& y, const Z& yp, std::ostream*, const P& p) const {
    int n = y.size() - 1;
    auto d = rhs(problem, t, y.head(n).eval(), p);
    using T = stan::return_type_t<typename Y::Scalar, typename Z::Scalar, typename P::value_type>;
    Eigen::Matrix<T, -1, 1> r(n + 1);
    for (int i = 0; i < n; ++i) r[i] = yp[i] - d[i];
    r[n] = y[n] - p[0] * y[0] * y[0];
    count(r[0]);
    return r;
  }
};

int main() {
  using namespace stan::math;
  int problem, n, k, T;
  std::string solver;
  double rel, abs;
  while (std::cin >> problem >> solver >> rel >> abs >> n >> k >> T) {
    Eigen::VectorXd y0(n);
    std::vector<double> p(k), ts(T);
    for (int i = 0; i < n; ++i) std::cin >> y0[i];
    for (auto& x : p) std::cin >> x;
    for (auto& x : ts) std::cin >> x;
    plain = taped = 0;
    try {
      Eigen::Matrix<var, -1, 1> v = y0;
      std::vector<var> q(p.begin(), p.end());
      std::vector<Eigen::Matrix<var, -1, 1>> s;
      if (solver == "rk45") {
        s = ode_rk45_tol(ode_rhs{problem}, v, 0.0, ts, rel, abs, 1000000L, &std::cerr, q);
      } else if (solver == "ckrk") {
        s = ode_ckrk_tol(ode_rhs{problem}, v, 0.0, ts, rel, abs, 1000000L, &std::cerr, q);
      } else if (solver == "adams") {
        s = ode_adams_tol(ode_rhs{problem}, v, 0.0, ts, rel, abs, 1000000L, &std::cerr, q);
      } else if (solver == "bdf") {
        s = ode_bdf_tol(ode_rhs{problem}, v, 0.0, ts, rel, abs, 1000000L, &std::cerr, q);
      } else if (solver == "adjoint") {
        Eigen::VectorXd a = Eigen::VectorXd::Constant(n, abs);
        s = ode_adjoint_tol_ctl(ode_rhs{problem}, v, 0.0, ts, rel, a, rel, a, rel, abs, 1000000L, 100L, 1, 2, 2,
                                &std::cerr, q);
      } else {
        Eigen::VectorXd w(n + 1), wp(n + 1);
        w << y0, p[0] * y0[0] * y0[0];
        auto d = rhs(problem, 0, y0, p);
        wp << d, 2 * p[0] * y0[0] * d[0];
        s = dae_tol(dae_rhs{problem}, w, wp, 0.0, ts, rel, abs, 1000000L, &std::cerr, q);
      }
      std::printf("%d %s", problem, solver.c_str());
      for (auto& y : s)
        for (int i = 0; i < y.size(); ++i) std::printf(" %.17g", y[i].val());
      std::vector<var> x;
      if (solver != "dae")
        for (int i = 0; i < n; ++i) x.push_back(v[i]);
      x.insert(x.end(), q.begin(), q.end());
      std::vector<double> g;
      if (solver == "adjoint") {
        var sum = 0;
        int at = 0;
        for (auto& y : s)
          for (int i = 0; i < y.size(); ++i) sum += std::sin(++at) * y[i];
        sum.grad(x, g);
        for (double d : g) std::printf(" %.17g", d);
      } else {
        for (auto& y : s)
          for (int i = 0; i < y.size(); ++i) {
            set_zero_all_adjoints();
            y[i].grad();
            for (auto& u : x) std::printf(" %.17g", u.adj());
          }
      }
      std::printf(" %ld %ld\n", plain, taped);
    } catch (const std::exception& e) {
      std::printf("%d %s failed %s\n", problem, solver.c_str(), e.what());
    }
    recover_memory();
  }
}
