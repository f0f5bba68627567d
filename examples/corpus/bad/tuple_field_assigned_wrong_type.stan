transformed data {
  array[2] tuple(int, real) a;
  a[1].1 = 2.5; // ERROR
}
