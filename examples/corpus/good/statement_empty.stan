// A semicolon alone is a statement.
data {
  int N;
  ;
}
parameters {
  real x;
  ;
}
model {
  ;
  ;;
  for (n in 1 : N)
    ;
  if (N > 3)
    ;
  else
    ;
  x ~ normal(0, 1);
}
