data {
  array<lower=0>[3] real x; // ERROR
}
