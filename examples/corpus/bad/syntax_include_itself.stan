parameters {
  real x;
}
#include syntax_include_itself.stan // ERROR
