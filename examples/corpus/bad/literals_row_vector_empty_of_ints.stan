transformed data {
  array[0] int a = []; // ERROR
}
