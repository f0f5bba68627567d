model {
  return; // ERROR
}
