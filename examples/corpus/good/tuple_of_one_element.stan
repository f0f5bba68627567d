// A comma after its only element makes a tuple of one, as the arguments of
// functions of functions may ask for.
transformed data {
  array[2] int y = {3, 4};
  print((y, ).1);
  if ((y, ).1[2] != 4 || ((1.5, ).1) != 1.5) {
    reject("tuple of one");
  }
}
