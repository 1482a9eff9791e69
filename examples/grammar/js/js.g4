// The language of the interpreter beside this file.
grammar js;

program : statement* EOF ;

statement
    : 'var' NAME ('=' expression)? ';'
    | 'function' NAME '(' parameters? ')' block
    | 'if' '(' expression ')' statement ('else' statement)?
    | 'while' '(' expression ')' statement
    | 'for' '(' expression? ';' expression? ';' expression? ')' statement
    | 'return' expression? ';'
    | 'break' ';'
    | 'continue' ';'
    | block
    | expression ';'
    | ';'
    ;

block      : '{' statement* '}' ;
parameters : NAME (',' NAME)* ;

expression
    : NAME '=' expression
    | postfix '[' expression ']' '=' expression
    | disjunction
    ;

disjunction : conjunction ('||' conjunction)* ;
conjunction : equality ('&&' equality)* ;
equality    : comparison (('==' | '!=') comparison)* ;
comparison  : sum (('<' | '>' | '<=' | '>=') sum)* ;
sum         : product (('+' | '-') product)* ;
product     : unary (('*' | '/' | '%') unary)* ;
unary       : ('-' | '!' | 'typeof') unary | postfix ;
postfix     : primary ('(' arguments? ')' | '[' expression ']')* ;
arguments   : expression (',' expression)* ;

primary
    : NUMBER
    | STRING
    | NAME
    | 'true'
    | 'false'
    | 'null'
    | '(' expression ')'
    | '[' arguments? ']'
    ;

NAME   : [a-zA-Z_] [a-zA-Z0-9_]* ;
NUMBER : [0-9]+ ;
STRING : '"' [ a-zA-Z0-9]* '"' ;
BLANK  : [ \t\r\n]+ -> skip ;
