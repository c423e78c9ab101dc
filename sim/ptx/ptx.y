/* sim/ptx/ptx.y -- PTX, structure only: an instruction is a dotted mnemonic and a list of operands,
 * whatever they are; decode*.c knows what each mnemonic wants. */
%code requires {
#include "sim/ptx/parse.h"
}
%define api.pure full
%define api.prefix {ptx_}
%define api.token.prefix {}
%define parse.error detailed
%locations
%lex-param {void *scanner}
%parse-param {void *scanner} {struct parse *p}
%initial-action { @$.first_line = @$.last_line = 1; @$.first_column = @$.last_column = 1; }

%union {
    struct name *name;
    struct { uint64_t value; bool is_unsigned; } num;
    double real;
    int value;
    struct operand *opd;
    struct operands list;
    struct var *var;
    struct vars vars;
    struct stmt *stmt;
}

%token END 0 "end of file"
%token T_VERSION ".version" T_TARGET ".target" T_ADDRESS_SIZE ".address_size"
%token T_EXTERN ".extern" T_VISIBLE ".visible" T_ENTRY ".entry" T_FUNC ".func" T_ALIAS ".alias"
%token T_TEX ".tex" T_ALIGN ".align" T_PTR ".ptr" T_ATTRIBUTE ".attribute"
%token T_MANAGED ".managed" T_UNIFIED ".unified" T_PRAGMA ".pragma" T_FILE ".file" T_LOC ".loc"
%token T_EXPLICITCLUSTER ".explicitcluster" T_MAXCLUSTERRANK ".maxclusterrank" T_BLOCKSARECLUSTERS ".blocksareclusters"
%token T_CLUSTER ".reqnctapercluster" T_MAXNTID ".maxntid" T_REQNTID ".reqntid" T_MINNCTAPERSM ".minnctapersm"
%token T_MAXNREG ".maxnreg" T_PERF "performance directive" T_CALLPROTOTYPE ".callprototype"
%token T_CALLTARGETS ".calltargets"
%token <value> T_OPAQUE ".texref" T_SPACE "state space" T_TYPE "type" T_VEC "vector size"
%token <name> T_WORD "identifier" T_CALL "call"
%token <num> T_INT "integer" T_F32 "f32 literal"
%token <real> T_F64 "floating-point literal"
%token T_STRING "string" T_GENERIC "generic"
%token T_SHL "<<" T_SHR ">>" T_LE "<=" T_GE ">=" T_EQ "==" T_NE "!=" T_ANDAND "&&" T_OROR "||"

%type <opd> expr operand init one_init const_int
%type <list> operands operands_opt inits inits_opt call_operands
%type <opd> call_operand
%type <name> word
%type <var> declarator param
%type <vars> params params_opt
%type <value> linkage

%precedence NO_BODY
%precedence T_PRAGMA
%right '?' ':'
%left T_OROR
%left T_ANDAND
%left '|'
%left '^'
%left '&'
%left T_EQ T_NE
%left '<' '>' T_LE T_GE
%left T_SHL T_SHR
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%code {
#include "sim/ptx/ptx.lex.h"

#pragma GCC diagnostic ignored "-Wshadow"

static struct loc at(YYLTYPE l)
{
    return (struct loc){l.first_line, l.first_column};
}

static void ptx_error(YYLTYPE *l, void *scanner, struct parse *p, const char *msg)
{
    (void)scanner;
    parse_error(p, at(*l), "%s", msg);
}

static void list_add(struct operands *list, struct operand *o)
{
    if (list->last)
        list->last->next = o;
    else
        list->first = o;
    list->last = o;
}

static struct operand *number(struct parse *p, uint64_t v, bool is_unsigned, YYLTYPE l)
{
    struct operand *o = operand_new(p, OPERAND_INT, at(l));
    o->i = (int64_t)v;
    o->is_unsigned = is_unsigned;
    return o;
}

#define CHECK          \
    do {               \
        if (p->failed) \
            YYABORT;   \
    } while (0)
}

%%

module: %empty | module item { CHECK; } ;

item: T_VERSION T_F64           {
          if (!($2 >= 1 && $2 < 100))
              parse_error(p, at(@2), "there is no such version of PTX");
          else
              p->m->version = (int)($2 * 10 + 0.5);
          p->m->version_at = at(@2);
      }
    | T_TARGET targets
    | T_ADDRESS_SIZE T_INT      {
          if ($2.value != 32 && $2.value != 64)
              parse_error(p, at(@2), ".address_size is 32 or 64");
          p->m->address_size = (int)$2.value;
      }
    | linkage func              { func_end(p, $1); }
    | linkage module_vars ';'
    | T_ALIAS word ',' word ';' { module_add_alias(p->m, $2, $4, at(@4), p->e) || (p->failed = true); }
    | note
    | ';'
    ;

targets: word              { module_set_target(p->m, $1, at(@1)); }
    | targets ',' word     { module_set_target(p->m, $3, at(@3)); }
    ;
word: T_WORD | T_CALL | T_GENERIC { $$ = name_intern(p->m, "generic", 7); } ;

note: T_PRAGMA strings ';'
    | T_FILE T_INT T_STRING
    | T_FILE T_INT T_STRING ',' T_INT ',' T_INT
    | T_LOC T_INT T_INT T_INT inlined
    ;
strings: T_STRING | strings ',' T_STRING ;
inlined: %empty
    | ',' T_WORD T_WORD offset ',' T_WORD T_INT T_INT T_INT
    ;
offset: %empty | '+' T_INT ;

linkage: %empty            { $$ = 0; }
    | linkage T_EXTERN     { $$ = 1; }
    | linkage T_VISIBLE
    ;

/* ---- variables ---- */

module_vars: space quals declarator { module_add_var(p->m, $3, p->e) || (p->failed = true); }
    | module_vars ',' declarator    { module_add_var(p->m, $3, p->e) || (p->failed = true); }
    ;
space: T_SPACE             { declare_begin(p, (enum storage)$1, $<value>0); }
    | T_TEX                { declare_begin(p, ST_GLOBAL, $<value>0); p->quals.opaque = OPAQUE_TEXTURE; }
    ;
quals: %empty | quals qual { CHECK; } ;
qual: T_TYPE               { p->quals.type = (uint8_t)$1; }
    | T_VEC                { p->quals.vec = (uint8_t)$1; }
    | T_OPAQUE             { p->quals.opaque = (uint8_t)$1; }
    | T_PTR                { p->quals.ptr = true; }
    | T_SPACE              {
          if (!p->quals.ptr)
              parse_error(p, at(@1), "a variable has one state space");
      }
    | T_ALIGN const_int    { declare_align(p, $2); }
    | '[' T_INT ']'
    | T_ATTRIBUTE '(' attributes ')'
    ;
attributes: attribute | attributes ',' attribute ;
attribute: T_MANAGED       { p->quals.is_managed = true; }
    | T_UNIFIED
    | T_UNIFIED '(' operands ')'
    ;

declarator: word           { $<var>$ = declare_var(p, $1, at(@1)); CHECK; } range_opt dims init_opt
                           { $$ = $<var>2; CHECK; }
    ;
range_opt: %empty | '<' T_INT '>' { declare_range(p, $<var>0, number(p, $2.value, true, @2)); } ;
dims: %empty
    | dims '[' ']'         { declare_dim(p, $<var>-1, NULL, at(@2)); }
    | dims '[' expr ']'    { declare_dim(p, $<var>-1, $3, at(@3)); }
    ;
init_opt: %empty
    | '=' init             { ($<var>-2)->init = $2; }
    ;
init: expr
    | '{' inits_opt '}'    { $$ = operand_wrap(p, OPERAND_LIST, $2, at(@1)); }
    ;
inits_opt: %empty          { $$ = (struct operands){0}; }
    | inits
    | inits ','
    ;
inits: one_init            { $$ = (struct operands){0}; list_add(&$$, $1); }
    | inits ',' one_init   { $$ = $1; list_add(&$$, $3); }
    ;
one_init: init
    | word '=' expr        { /* a field of a sampler or texture reference */
          $$ = operand_new(p, OPERAND_NAME, at(@1));
          $$->name = $1;
          $$->sub = $3;
      }
    ;

const_int: T_INT           { $$ = number(p, $1.value, $1.is_unsigned, @1); } ;

/* ---- functions ---- */

func: T_ENTRY { func_begin(p, true); } word params_opt
      { p->func.name = $3; p->func.loc = at(@3); p->func.params = $4; } perfs func_body
    | T_FUNC { func_begin(p, false); } func_attrs func_rets word params_opt
      { p->func.name = $5; p->func.loc = at(@5); p->func.params = $6; } perfs func_body_opt
    ;
func_attrs: %empty | func_attrs T_PERF ints_opt
    | func_attrs T_ATTRIBUTE '(' attributes ')'
    ;
func_rets: %empty | '(' params ')' { p->func.rets = $2; } | '(' ')' ;
params_opt: %empty         { $$ = (struct vars){0}; }
    | '(' ')'              { $$ = (struct vars){0}; }
    | '(' params ')'       { $$ = $2; }
    ;
params: param              { $$ = (struct vars){0}; vars_add(&$$, $1); }
    | params ',' param     { $$ = $1; vars_add(&$$, $3); }
    ;
param: T_SPACE             { declare_begin(p, (enum storage)$1, false); }
      quals param_declarator { $$ = $<var>4; } ;
param_declarator: word     { $<var>$ = declare_var(p, $1, at(@1)); CHECK; } no_range dims
                           { $<var>$ = $<var>2; CHECK; } ;
no_range: %empty ;

perfs: %empty | perfs perf { CHECK; } ;
perf: T_MAXNTID ints       { func_limit(p, p->func.maxntid, 3); }
    | T_REQNTID ints       { func_limit(p, p->func.reqntid, 3); }
    | T_CLUSTER ints       { func_limit(p, p->func.cluster, 3); }
    | T_EXPLICITCLUSTER    { p->func.explicit_cluster = true; }
    | T_MAXCLUSTERRANK ints { func_limit(p, &p->func.max_cluster, 1); }
    | T_BLOCKSARECLUSTERS  { p->func.blocks_are_clusters = true; }
    | T_MINNCTAPERSM ints  { func_limit(p, &p->func.minnctapersm, 1); }
    | T_MAXNREG ints       { func_limit(p, &p->func.maxnreg, 1); }
    | T_PERF ints_opt
    | T_PRAGMA strings ';'
    ;
ints_opt: %empty | ints ;
ints: T_INT                { p->ints[0] = $1.value > INT32_MAX ? INT32_MAX : (int)$1.value; p->nints = 1; }
    | ints ',' T_INT       {
          if (p->nints >= 3) {
              parse_error(p, at(@3), "too many values");
              YYABORT;
          }
          p->ints[p->nints++] = $3.value > INT32_MAX ? INT32_MAX : (int)$3.value;
      }
    ;

func_body: ';' | body ;
func_body_opt: body | %empty %prec NO_BODY ; /* PTX 1.x declares functions without a semicolon */
body: { p->func.has_body = true; } scope ;

scope: '{'                 { if (!scope_open(p, at(@1))) YYABORT; }
       stmts '}'           { scope_close(p, at(@4)); } ;
stmts: %empty | stmts stmt { CHECK; } ;
stmt: scope
    | local_vars ';'
    | note
    | ';'
    | T_WORD ':'           { stmt_label(p, STMT_LABEL, $1, at(@1)); }
    | T_WORD ':' T_CALLPROTOTYPE func_rets_ignored word params_opt proto_end ';'
                           { stmt_label(p, STMT_PROTO, $1, at(@1)); }
    | T_WORD ':' T_CALLTARGETS operands ';'
                           { stmt_label(p, STMT_TARGETS, $1, at(@1)); p->last->ops = $4.first; }
    | inst ';'
    | guard inst ';'
    ;
func_rets_ignored: %empty | '(' params ')' | '(' ')' ;
proto_end: %empty | proto_end T_PERF ints_opt ;

local_vars: local_space quals declarator { stmt_add(p, STMT_VAR, $3->loc)->var = $3; }
    | local_vars ',' declarator          { stmt_add(p, STMT_VAR, $3->loc)->var = $3; }
    ;
local_space: T_SPACE       { declare_begin(p, (enum storage)$1, false); }
    | T_EXTERN T_SPACE     { declare_begin(p, (enum storage)$2, true); }
    ;

/* ---- instructions ---- */

guard: '@' T_WORD          { inst_guard(p, $2, false, at(@2)); }
    | '@' '!' T_WORD       { inst_guard(p, $3, true, at(@3)); }
    ;
inst: mnemonic operands_opt { p->last->ops = $2.first; }
    | call call_operands    { p->last->ops = $2.first; }
    ;
mnemonic: T_WORD           { inst_begin(p, $1, false, at(@1)); } ;
call: T_CALL               { inst_begin(p, $1, true, at(@1)); } ;

operands_opt: %empty       { $$ = (struct operands){0}; } | operands ;
operands: operand          { $$ = (struct operands){0}; list_add(&$$, $1); }
    | operands ',' operand { $$ = $1; list_add(&$$, $3); }
    ;
operand: expr
    | '[' operands ']'     { $$ = operand_wrap(p, OPERAND_ADDR, $2, at(@1)); }
    | '{' operands '}'     { $$ = operand_wrap(p, OPERAND_LIST, $2, at(@1)); $$->braces = true; }
    ;
call_operands: call_operand { $$ = (struct operands){0}; list_add(&$$, $1); }
    | call_operands ',' call_operand { $$ = $1; list_add(&$$, $3); }
    ;
call_operand: word         { $$ = operand_new(p, OPERAND_NAME, at(@1)); $$->name = $1; }
    | '(' operands_opt ')' { $$ = operand_wrap(p, OPERAND_LIST, $2, at(@1)); }
    ;

expr: T_INT                { $$ = number(p, $1.value, $1.is_unsigned, @1); }
    | T_F32                { $$ = number(p, $1.value, true, @1); $$->kind = OPERAND_F32; }
    | T_F64                { $$ = operand_new(p, OPERAND_F64, at(@1)); $$->d = $1; }
    | T_WORD               { $$ = operand_new(p, OPERAND_NAME, at(@1)); $$->name = $1; }
    | T_GENERIC '(' expr ')' {
          $$ = $3;
          if ($$->kind != OPERAND_NAME)
              parse_error(p, at(@3), "generic() takes a variable");
          $$->generic = true;
          CHECK;
      }
    | T_INT '(' expr ')'   {
          $$ = $3;
          if ($$->kind != OPERAND_NAME || !$1.value)
              parse_error(p, at(@1), "a mask takes the address of a variable");
          $$->mask = $1.value;
          CHECK;
      }
    | '(' expr ')'         { $$ = $2; }
    | '(' T_TYPE ')' expr %prec UNARY { $$ = operand_unary(p, $2 == VT_S64 ? 's' : 'u', $4, at(@1)); CHECK; }
    | '-' expr %prec UNARY { $$ = operand_unary(p, '-', $2, at(@1)); CHECK; }
    | '+' expr %prec UNARY { $$ = $2; }
    | '!' expr %prec UNARY { $$ = operand_unary(p, '!', $2, at(@1)); CHECK; }
    | '~' expr %prec UNARY { $$ = operand_unary(p, '~', $2, at(@1)); CHECK; }
    | expr '*' expr        { $$ = operand_binary(p, '*', $1, $3); CHECK; }
    | expr '/' expr        { $$ = operand_binary(p, '/', $1, $3); CHECK; }
    | expr '%' expr        { $$ = operand_binary(p, '%', $1, $3); CHECK; }
    | expr '+' expr        { $$ = operand_binary(p, '+', $1, $3); CHECK; }
    | expr '-' expr        { $$ = operand_binary(p, '-', $1, $3); CHECK; }
    | expr T_SHL expr      { $$ = operand_binary(p, T_SHL, $1, $3); CHECK; }
    | expr T_SHR expr      { $$ = operand_binary(p, T_SHR, $1, $3); CHECK; }
    | expr '<' expr        { $$ = operand_binary(p, '<', $1, $3); CHECK; }
    | expr '>' expr        { $$ = operand_binary(p, '>', $1, $3); CHECK; }
    | expr T_LE expr       { $$ = operand_binary(p, T_LE, $1, $3); CHECK; }
    | expr T_GE expr       { $$ = operand_binary(p, T_GE, $1, $3); CHECK; }
    | expr T_EQ expr       { $$ = operand_binary(p, T_EQ, $1, $3); CHECK; }
    | expr T_NE expr       { $$ = operand_binary(p, T_NE, $1, $3); CHECK; }
    | expr '&' expr        { $$ = operand_binary(p, '&', $1, $3); CHECK; }
    | expr '^' expr        { $$ = operand_binary(p, '^', $1, $3); CHECK; }
    | expr '|' expr        { $$ = operand_binary(p, '|', $1, $3); CHECK; }
    | expr T_ANDAND expr   { $$ = operand_binary(p, T_ANDAND, $1, $3); CHECK; }
    | expr T_OROR expr     { $$ = operand_binary(p, T_OROR, $1, $3); CHECK; }
    | expr '?' expr ':' expr { $$ = operand_cond(p, $1, $3, $5); CHECK; }
    ;

%%
