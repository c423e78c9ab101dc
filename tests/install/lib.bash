# shellcheck disable=SC1091,SC2034,SC2154 # lib.bash is sourced; what tests source, they use
# Sourced by the tests of what is installed: $root has it, as $root$prefix; $san: flags of the build's sanitizers.
. tests/cli/lib.bash
build=$(dirname "$(realpath "$mdpredict")")
[[ -d $build/cuda ]] || build=$build/build
root=$tmp/root prefix=/opt/mdp
version=$("$mdpredict" --version | awk '{ print $2 }')
scripts/install.sh "$build" "$version" "$prefix" "$root" || fail "install.sh: exit code $?"
unset MDPREDICT_DATA
san=''
[[ $sanitized != *libasan* ]] || san=-fsanitize=address,undefined
[[ $sanitized != *libtsan* ]] || san=-fsanitize=thread
