// K = 8
// S ~ normal(K, K)
data { int K; matrix[K, K] S; }
parameters { matrix[K, K] X; }
model { matrix[K, K] Q = qr_thin_Q(X); matrix[K, K] R = qr_thin_R(X); to_vector(X) ~ std_normal(); target += trace(S * Q) + sum(log(abs(diagonal(R)))); }
