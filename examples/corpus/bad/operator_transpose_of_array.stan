data {
  array[3] real a;
}
transformed data {
  array[3] real b = a'; // ERROR
}
