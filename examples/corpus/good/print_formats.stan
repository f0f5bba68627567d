// print, reject and fatal_error take strings and values of every type; nothing is
// put between them.
transformed data {
  print("int ", 3, " real ", 2.0, " tenth ", 0.1, " large ", 1e10, " small ", 1e-10);
  print("six digits ", 3.14159265, " ", 1234567.0, " ", 123456.0, " ", -0.00001);
  print("special ", not_a_number(), " ", positive_infinity(), " ", negative_infinity());
  print("vector ", [1, 2.5]', " row ", [1, 2.5], " matrix ", [[1, 2], [3, 4]]);
  print("arrays ", {1, 2}, " ", {{1, 2}, {3, 4}}, " ", {[1, 2], [3, 4]});
  print("tuple ", (1, 2.5, [1, 2]'), " nested ", (1, (2, {3})));
  print("complex ", 1 + 2i, " ", [1i, 2], " none ", [], " ", rep_array(0, 0));
  print("target and expressions: ", 1 + 1, " ", 1 < 2, " ", 7 %/% 2);
  if (1 == 2) {
    fatal_error("never", 1, [2, 3]);
  }
}
model {
  print("target = ", target());
}
