// Functions with forms for mixtures of ints, reals and containers.
transformed data {
  vector[3] v = [1, 2, 3]';
  if (abs(log_mix(0.3, -1, -2) - log(0.3 * exp(-1) + 0.7 * exp(-2))) > 1e-14) {
    reject("log_mix");
  }
  if (sum(fmax(v, 2)) != 7 || sum(pow(2, v)) != 14 || sum(v .^ 2) != 14 || sum(2 .^ v) != 14) {
    reject("elementwise");
  }
  if (abs(lchoose(4.5, 2) - log(7.875)) > 1e-12 || choose(5, 2) != 10 || lmultiply(0, 0) != 0) {
    reject("lchoose");
  }
  if (sum(v ./ 2) != 3 || sum(6 ./ v) != 11 || sum(exp(log(v))) < 5.999) {
    reject("divisions");
  }
  if (sum(to_vector(beta({1.0, 2.0}, 2.0))) < 0.6 || size(exp({{1, 2}, {3, 4}})) != 2) {
    reject("arrays");
  }
  if (abs(v .* v - square(v))[2] != 0 || mean({1, 2, 4}) < 2.3 || variance([1, 1, 4]) != 3) {
    reject("moments");
  }
}
