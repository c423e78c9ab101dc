#!/usr/bin/env python3
"""The JSON Schema of what commands print with --json, from the program's own tables of keys:
scripts/schema.py [MDPREDICT [FILE]] writes data/schema.json anew; --check says whether it would change it.

An object, at whatever depth, has keys of the tables alone, each of the kind that the table's unit and text say:
a number, or the array of it by n; text; lines of text; objects. Objects that are not inside another have
schema_version."""
import json
import subprocess
import sys

NUMBER = {"type": ["number", "null"]}
NUMBERS = {"anyOf": [NUMBER, {"type": "array", "items": NUMBER}]}
TEXT = {"type": ["string", "null"]}
LINES = {"type": "array", "items": {"type": "string"}}
TEXTS = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
OBJECT = {"$ref": "#/$defs/object"}
OBJECTS = {"anyOf": [OBJECT, {"type": "array", "items": OBJECT}]}
# By the texts' first words where the table has no unit; the rest by name.
OBJECTS_BY_NAME = ("kernels explain occupancy sample groups degrees intervals cores runs means sizes answer_parts "
                   "cases choices predictors metrics host_computed rejected hot lines races sides")
TEXTS_BY_NAME = ("target gpu model effort kernel symbol limit how order stopped baseline combination warp_scheduler "
                 "cta_scheduler text topic name value help of suite class options size table title needs function "
                 "reason carveout missing predictor group numbering module source access "
                 "type unit lowest highest default")
BOOLEANS_BY_NAME = "point recalculation_bit simulation_seconds_estimated exact near"


def kind(key):
    name, text = key["name"], key["help"]
    if name == "schema_version":
        return {"const": 1}
    if name == "choices":  # a list's text, or those of `compare --all`
        return {"anyOf": [TEXT, *OBJECTS["anyOf"]]}
    if name == "stalled":  # cycles by reason
        return {"type": "object", "additionalProperties": NUMBER}
    if name == "instruction":  # a line's text, or what `disasm` says of each
        return {"anyOf": [TEXT, *OBJECTS["anyOf"]]}
    if name in ("cores", "cases", "runs"):  # how many, or they themselves
        return {"anyOf": [NUMBER, *OBJECTS["anyOf"]]}
    if name in OBJECTS_BY_NAME.split() or text.startswith(("an object", "array of an object")):
        return OBJECTS
    if text.startswith("array of lines"):
        return LINES
    if name in ("paste", "one_more"):
        return LINES
    if name == "bound":
        return TEXTS
    if name in TEXTS_BY_NAME.split():
        return TEXT
    if name in BOOLEANS_BY_NAME.split():
        return {"type": ["boolean", "number"]}
    return NUMBERS


def schema(mdpredict):
    out = subprocess.run([mdpredict, "list", "keys", "--json"], check=True, capture_output=True, text=True)
    properties = {}
    for key in json.loads(out.stdout):
        of_key = {"description": key["help"]} if key["help"] else {}
        kinds = properties.setdefault(key["name"], [])
        if kind(key) not in [k for k, _ in kinds]:
            kinds.append((kind(key), of_key))
    merged = {}
    for name, kinds in properties.items():
        merged[name] = ({**kinds[0][1], **kinds[0][0]} if len(kinds) == 1 else
                        {"anyOf": [{**d, **k} for k, d in kinds]})
    inner = {"type": "object", "properties": merged, "additionalProperties": False}
    outer = {"allOf": [OBJECT, {"required": ["schema_version"]}]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "What mdpredict prints with --json",
            "anyOf": [outer, {"type": "array", "items": outer}],
            "$defs": {"object": inner}}


def main(words):
    check = words[:1] == ["--check"]
    words = words[check:]
    mdpredict = words[0] if words else "./mdpredict"
    path = words[1] if len(words) > 1 else "data/schema.json"
    text = json.dumps(schema(mdpredict), indent=1, ensure_ascii=False) + "\n"
    if not check:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    elif open(path, encoding="utf-8").read() != text:
        sys.exit(f"{path}: run scripts/schema.py")


main(sys.argv[1:])
