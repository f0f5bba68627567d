// A level, a slope and seasons that walk at random.
data {
  int<lower=1> T, S;
  vector[T] y;
}
parameters {
  vector[T] level, slope, season;
  real<lower=0> sd_level, sd_slope, sd_season, sigma;
}
model {
  sd_level ~ normal(0, 1);
  sd_slope ~ normal(0, 1);
  sd_season ~ normal(0, 1);
  sigma ~ normal(0, 1);
  for (t in 2:T) {
    level[t] ~ normal(level[t - 1] + slope[t - 1], sd_level);
    slope[t] ~ normal(slope[t - 1], sd_slope);
  }
  level[1] ~ normal(0, 5);
  slope[1] ~ normal(0, 1);
  season[1:S - 1] ~ normal(0, 1);
  for (t in S:T) season[t] ~ normal(-sum(season[t - S + 1 : t - 1]), sd_season);
  y ~ normal(level + season, sigma);
}
