/* completion.c -- scripts for shells that complete commands, options and their arguments, made from
 * the table of options. */
#include "cli/completion.h"

#include <string.h>

#include "cli/choices.h"
#include "cli/commands.h"
#include "sim/gpu/gpu_cfg.h"
#include "sim/gpu/gpu_choices.h"

static bool takes(const struct command *c, int id)
{
    return option_rows[id].commands >> c->id & 1;
}

static void word(void *user, const char *w)
{
    fprintf(user, "%s ", w);
}

/* ---- bash ---- */

/* "run:--gpu|run:-g|list:--gpu": where the row's argument is wanted. */
static void bash_places(FILE *out, int id)
{
    const char *between = "";
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (!takes(commands[i], id))
            continue;
        fprintf(out, "%s%s:--%s", between, commands[i]->name, option_rows[id].name);
        if (option_rows[id].letter)
            fprintf(out, "|%s:-%c", commands[i]->name, option_rows[id].letter);
        between = "|";
    }
}

/* After `--set NAME=`: the words that the parameter may be. */
static void bash_parameters(FILE *out)
{
    char name[PARAM_NAME_LEN];
    for (const struct param_group *g = gpu_cfg_groups(); g->rows; g++)
        for (int i = 0; i < g->nrows; i++) {
            if (!gpu_choice(params_name(g, &g->rows[i], name), 0))
                continue;
            fprintf(out, "    *:%s)\n        words=\"", name);
            for (int k = 0; gpu_choice(name, k); k++)
                word(out, gpu_choice(name, k));
            fputs("\" option=yes ;;\n", out);
        }
}

static void bash_arguments(FILE *out)
{
    fputs("    case $cmd:$prev in\n", out);
    for (int id = 0; id < OPT_COUNT; id++) {
        if (!option_rows[id].arg)
            continue;
        fputs("    ", out);
        bash_places(out, id);
        fputs(")\n        words=\"", out);
        choices_of_option(&option_rows[id], word, out);
        fprintf(out, "\" files=%s option=yes ;;\n",
                choices_option_path(&option_rows[id]) ? "yes" : "");
    }
    bash_parameters(out);
    fputs("    esac\n", out);
}

static void bash_command(FILE *out, const struct command *c)
{
    fprintf(out, "    %s)\n        options=\"", c->name);
    for (int id = 0; id < OPT_COUNT; id++)
        if (takes(c, id))
            fprintf(out, "--%s ", option_rows[id].name);
    fputs("\" names=\"", out);
    choices_of_command(c, word, out);
    fprintf(out, "\" paths=%s ;;\n", choices_command_path(c) ? "yes" : "");
}

static void command_names(FILE *out)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "%s ", commands[i]->name);
}

static const char bash_head[] =
    "# bash completion for mdpredict; made by `mdpredict completion bash`\n"
    "_mdpredict() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local cmd= at=0 i words= files= option= options= names= paths=\n"
    "    COMPREPLY=()\n"
    "    # `--gpu=x` comes as three words\n"
    "    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then "
    "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        if [[ -z $cmd ]]; then case ${COMP_WORDS[i]} in\n"
    "            -*) ;;\n"
    "            *) cmd=${COMP_WORDS[i]} ;;\n"
    "        esac; fi\n"
    "        [[ ${COMP_WORDS[i]} != -- ]] || at=$((i + 1))\n"
    "    done\n"
    "    if ((at > 0)); then # a program and its arguments\n"
    "        if ((at == COMP_CWORD)); then COMPREPLY=($(compgen -c -- \"$cur\") $(compgen -f "
    "-- \"$cur\"))\n"
    "        else COMPREPLY=($(compgen -f -- \"$cur\")); fi\n"
    "        return\n"
    "    fi\n"
    "    if [[ -z $cmd ]]; then\n"
    "        COMPREPLY=($(compgen -W \"";
static const char bash_tail[] =
    "    esac\n"
    "    if [[ $option ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\") $([[ ! $files ]] || compgen -f "
    "-- \"$cur\"))\n"
    "        [[ $files ]] || compopt +o filenames 2>/dev/null\n"
    "        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
    "    else\n"
    "        COMPREPLY=($(compgen -W \"$names\" -- \"$cur\") $([[ ! $paths ]] || compgen -f "
    "-- \"$cur\"))\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _mdpredict mdpredict\n";

void completion_bash(FILE *out)
{
    fputs(bash_head, out);
    command_names(out);
    fputs("help version --help --version\" -- \"$cur\"))\n        return\n    fi\n", out);
    bash_arguments(out);
    fputs("    case $cmd in\n    help)\n        names=\"", out);
    command_names(out);
    fputs("\" ;;\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        bash_command(out, commands[i]);
    fputs(bash_tail, out);
}

/* ---- zsh ---- */

/* Between single quotes, in a specification of _arguments. */
static void zsh_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr(":[]\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
    }
}

static void zsh_option(FILE *out, const struct option_row *r)
{
    const bool again = r->type == OPTION_WORDS;
    for (int letter = r->letter != 0; letter >= 0; letter--) {
        fprintf(out, "            '%s", again ? "*" : "");
        if (letter)
            fprintf(out, "-%c%s[", r->letter, r->arg ? "+" : "");
        else
            fprintf(out, "--%s%s[", r->name, r->arg ? "=" : "");
        zsh_text(out, r->help);
        fputc(']', out);
        if (r->arg) {
            fputc(':', out);
            zsh_text(out, r->arg);
            fputc(':', out);
            const bool path = choices_option_path(r);
            fputs(path ? "{ compadd -- " : "(", out);
            choices_of_option(r, word, out);
            fputs(path ? "; _files }" : ")", out);
        }
        fputs("' \\\n", out);
    }
}

void completion_zsh(FILE *out)
{
    fputs("#compdef mdpredict\n# zsh completion for mdpredict; made by `mdpredict completion zsh`\n"
          "_mdpredict() {\n"
          "    if ((CURRENT == 2)); then\n        local -a commands=(\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "            '%s:", commands[i]->name);
        zsh_text(out, commands[i]->help);
        fputs("'\n", out);
    }
    fputs("            'help:show what a command takes'\n            'version:which mdpredict this "
          "is'\n        )\n"
          "        _describe command commands\n        return\n    fi\n"
          "    local cmd=$words[2]\n    shift words; ((CURRENT--))\n    case $cmd in\n    help) "
          "_values command ",
          out);
    command_names(out);
    fputs(";;\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "    %s) _arguments -s \\\n", commands[i]->name);
        for (int id = 0; id < OPT_COUNT; id++)
            if (takes(commands[i], id))
                zsh_option(out, &option_rows[id]);
        fputs("            '*:argument:{ compadd -- ", out);
        choices_of_command(commands[i], word, out);
        fprintf(out, "%s }' ;;\n", choices_command_path(commands[i]) ? "; _files" : "");
    }
    fputs("    esac\n}\n"
          "if [[ $funcstack[1] == _mdpredict ]]; then _mdpredict \"$@\"; else compdef _mdpredict "
          "mdpredict; fi\n",
          out);
}

/* ---- fish ---- */

static void fish_text(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, strchr("'\\", *text) ? "\\%c" : "%c", *text);
}

static void fish_option(FILE *out, const struct option_row *r)
{
    fputs("complete -c mdpredict -n '__fish_seen_subcommand_from ", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (takes(commands[i], (int)(r - option_rows)))
            fprintf(out, "%s ", commands[i]->name);
    fprintf(out, "' -l %s", r->name);
    if (r->letter)
        fprintf(out, " -s %c", r->letter);
    if (r->arg) {
        fputs(choices_option_path(r) ? " -r -F -a '" : " -x -a '", out);
        choices_of_option(r, word, out);
        fputc('\'', out);
    }
    fputs(" -d '", out);
    fish_text(out, r->help);
    fputs("'\n", out);
}

static void fish_command(FILE *out, const struct command *c)
{
    fprintf(out, "complete -c mdpredict -n __fish_use_subcommand -f -a %s -d '", c->name);
    fish_text(out, c->help);
    fprintf(out, "'\ncomplete -c mdpredict -n '__fish_seen_subcommand_from %s' %s -a '", c->name,
            choices_command_path(c) ? "-F" : "-f");
    choices_of_command(c, word, out);
    fputs("'\n", out);
}

void completion_fish(FILE *out)
{
    fputs("# fish completion for mdpredict; made by `mdpredict completion fish`\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fish_command(out, commands[i]);
    fputs("complete -c mdpredict -n __fish_use_subcommand -f -a 'help version'\n"
          "complete -c mdpredict -n '__fish_seen_subcommand_from help' -f -a '",
          out);
    command_names(out);
    fputs("'\n", out);
    for (int id = 0; id < OPT_COUNT; id++)
        fish_option(out, &option_rows[id]);
}
