# The fields of a line of CSV, for awk scripts in front of which this stands: fields($0) sets field[1], field[2] ...
# Fields with commas are quoted, "" is a quote in them. A | becomes \|, as tables of Markdown want it.
function fields(line,    n, text, c, i, quoted) {
    n = 0; text = ""; quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") { text = text c; i++ }
        else if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { field[++n] = text; text = "" }
        else text = text (c == "|" ? "\\|" : c)
    }
    field[++n] = text
    return n
}
