transformed data {
  break; // ERROR
}
