data {
  vector<lower=0>[3] sigma;
}
