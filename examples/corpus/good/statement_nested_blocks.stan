// Blocks nest, names live to the end of their block and may be used again after it.
transformed data {
  int n = 0;
  {
    int inner = 1;
    {
      int deeper = inner + 1;
      n += deeper;
    }
    { real deeper = 0.5; n += deeper > 0; }
  }
  { int inner = 5; n += inner; }
  for (i in 1:2) {
    int inner = i;
    n += inner;
  }
  for (i in 1:2) n += i;
  if (n != 14) {
    reject("blocks: ", n);
  }
  if (n > 0) ; else reject("empty statement");
  ;
}
