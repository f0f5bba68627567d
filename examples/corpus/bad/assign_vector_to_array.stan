transformed data {
  vector[2] v = [1, 2]';
  array[2] real a = v; // ERROR
}
