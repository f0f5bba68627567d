// A block opens a scope; names may be used again in disjoint scopes.
transformed data {
  real total = 0;
  {
    real x = 1;
    total += x;
  }
  {
    int x = 2;
    total += x;
    {
      real y = x * 10;
      total += y;
    }
  }
  for (x in 1 : 2) {
    total += x;
  }
  {
    {
      {
        ;
      }
    }
  }
  if (total != 26) {
    reject("total is ", total);
  }
}
