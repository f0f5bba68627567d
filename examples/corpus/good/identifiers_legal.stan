// Names: letters, digits and underscores; a letter first; case matters.
transformed data {
  real a = 1;
  real a3 = 2;
  real a_3 = 3;
  real Sigma = 4;
  real sigma = 5;
  real my_long_style_variable = 6;
  real myCamelCaseVariable = 7;
  real T = 8;
  real a_very_long_name_that_goes_on_for_more_than_sixty_four_characters_in_all = 9;
  real lpdf = 10;
  real e1 = 11;
  if (sigma - Sigma != 1 || T != 8 || e1 != 11) {
    reject("names are confused");
  }
}
