// A constraint built by hand, with its Jacobian in the model block.
parameters {
  vector[3] raw;
}
transformed parameters {
  positive_ordered[3] x = cumulative_sum(exp(raw));
}
model {
  target += sum(raw);
  x ~ lognormal(0, 1);
}
