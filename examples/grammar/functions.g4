// Function declarations, as in a small JavaScript.
grammar Functions;

program  : function+ EOF ;
function : 'function' ID '(' formals? ')' body ;
formals  : ID (',' ID)* ;
body     : '{' function* '}' ;

ID     : LETTER (LETTER | DIGIT)* ;
BLANK  : [ \t\r\n]+ -> skip ;

fragment LETTER : [a-z] ;
fragment DIGIT  : [0-9] ;
