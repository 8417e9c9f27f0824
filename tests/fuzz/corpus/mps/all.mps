NAME test
ROWS
 N cost
 L lim1
 G lim2
 E myeqn
COLUMNS
 M1 'MARKER' 'INTORG'
 x cost 1 lim1 1
 x lim2 1
 M2 'MARKER' 'INTEND'
 y cost 2.5e0 lim1 1
 y myeqn -1
RHS
 RHS lim1 4 lim2 1
 RHS myeqn 7
RANGES
 RNG lim1 2
BOUNDS
 UP BND x 4
 LO BND y -1
 FR BND z
 MI BND y
ENDATA
