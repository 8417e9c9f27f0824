NAME          CARDS
ROWS
 N  THE COST
 L  ROW  A
COLUMNS
    COL  A    THE COST          -1.5   ROW  A             2.0
RHS
    RHS       ROW  A             3.0
BOUNDS
 UP BND       COL  A             4.0                           a comment
ENDATA
