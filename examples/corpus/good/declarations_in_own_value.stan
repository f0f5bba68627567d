// A variable is visible in its own initial value, where it holds no number yet.
functions {
  real f() {
    vector[2] w = rep_vector(num_elements(w), num_elements(w));
    return sum(w);
  }
}
transformed data {
  array[3] real sizes = rep_array(size(sizes), size(sizes));
  real unset = unset;
  if (sum(sizes) != 9 || f() != 4 || !is_nan(unset)) {
    reject("the value of a declaration may read what is declared");
  }
}
parameters {
  real mu;
}
transformed parameters {
  vector[3] shifted = rep_vector(mu, rows(shifted));
}
model {
  row_vector[2] twice = rep_row_vector(mu, cols(twice));
  shifted ~ normal(0, 1);
  twice ~ normal(0, 1);
}
