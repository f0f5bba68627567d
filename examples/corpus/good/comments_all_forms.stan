// A line comment, with signs that mean nothing here: { } ; " ' /* #
/* A comment in brackets,
   over several lines // with a line comment inside
   and a star * and a slash / apart. **/
data {
  int<lower=0> N; // after a declaration
  vector[/* inside a size */ N] y;
}
parameters {
  real mu; /* between */ real<lower=0> sigma;
}
model {
  y ~ normal(mu, // in the middle of an expression
             sigma);
  /**/
  //
}
// the last line is a comment without an end of line
