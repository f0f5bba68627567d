// Every block may be empty.
functions {

}
data {

}
transformed data {

}
parameters {

}
transformed parameters {

}
model {

}
generated quantities {

}
