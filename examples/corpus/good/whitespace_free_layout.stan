data{int N;vector[N]y;}parameters{real
mu;real<
lower
=
0
>sigma;
}


model{y
~
normal
(
mu
,
sigma
)
;target+=-mu
^2;for(n in 1:N)target+=0*y[n];}
