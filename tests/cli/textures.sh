#!/bin/bash
# shellcheck disable=SC1091,SC2154 # lib.bash is sourced and sets variables
# Textures in launch files: results are checked with and without timing, statistics are told.
. tests/cli/lib.bash

dir=tests/data/textures
t 0 run $dir --functional; quiet
t 0 run $dir --json; quiet
for name in texture_accesses texture_hits texture_misses dram_texture_reads; do
    grep -Eq "\"$name\": [1-9]" "$tmp/out" || fail "no $name"
done
t 0 run $dir --json --set l1t.enabled=false; shows '"texture_accesses": 0,'
t 0 run $dir --json -g park2015; quiet
t 0 search $dir --csv; quiet
[[ $(wc -l <"$tmp/out") == 9 ]] || fail "search --csv is not a heading and eight rows"
t 0 sample $dir; shows "Chosen: n ="
t 0 list parameters; shows "l1t.fragments"

# What cannot be: told with its line.
cp $dir/against_loads.ptx "$tmp"
sed 's/size = \[64, 48\]/size = [64, 49]/' $dir/launch.cfg >"$tmp/launch.cfg"
t 1 run "$tmp"; says "launch.cfg:7: texture 'image' is made of 12544 bytes, buffer 'pixels' has 12288"
sed 's/filter = "linear"/filter = "linear"; reference = "img"/' $dir/launch.cfg >"$tmp/launch.cfg"
t 1 run "$tmp"; says "has no texture reference 'img'"
sed 's/{ texture = "image"; }/{ texture = "row"; }/' $dir/launch.cfg >"$tmp/launch.cfg"
t 1 run "$tmp"; says "linear memory is read by tex.1d with integer coordinates"
sed 's/{ texture = "row"; }/{ u64 = 5; }/' $dir/launch.cfg >"$tmp/launch.cfg"
t 1 run "$tmp"; says "0x5 is no handle of a texture"
sed 's/start = 1;/start = 1000000;/; s/filter = "linear"/filter = "point"/' $dir/launch.cfg >"$tmp/launch.cfg"
t 1 run "$tmp"; says "filtered"

exit "$bad"
