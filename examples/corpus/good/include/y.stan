vector[N] y;
