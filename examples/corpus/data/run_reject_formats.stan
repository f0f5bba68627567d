transformed data {
  tuple(int, complex) t = (3, 1 + 2i);
  reject("v = ", [1, 2.5], "; x = ", 1e10, "; t = ", t, "; z = ", t.2, " {}");
}
