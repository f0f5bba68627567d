// Tuples of any types, nested, in arrays, and with arrays inside.
data {
  int<lower=0> N;
  tuple(int, real) pair;
  tuple(vector[N], array[2] int) t;
  array[3] tuple(real, vector[2]) at;
  tuple(int, tuple(real, complex)) nested;
}
transformed data {
  real sum_of_firsts = 0;
  for (e in at) {
    sum_of_firsts += e.1;
  }
  sum_of_firsts += pair.1 + nested.2.1 + at[2].2[1] + t.2[1];
}
