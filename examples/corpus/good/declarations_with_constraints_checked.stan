// Constraints of transformed variables are checked when their block ends,
// so values in between may break them.
transformed data {
  int<lower=1, upper=5> k = 0;
  simplex[3] s = [2, 1, 1]';
  ordered[2] o = [2, 1]';
  k = 3;
  s = s / sum(s);
  o = sort_asc(o);
}
