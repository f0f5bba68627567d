#!/bin/sh
# Runs CmdStanPy's own tests against ppl in CmdStan's place, and prints how many passed.
#
#   cmd/ppl/extra/cmdstan/cmdstanpy.sh DIR [PYTEST-OPTIONS]
#
# DIR holds cmdstanpy/ (the sources of CmdStanPy 1.2.5 with its folder test/) and stanio/. It is copied
# first. Needs Go, make, and Python with numpy, pandas, xarray, tqdm and pytest (Debian: python3-numpy
# python3-pandas python3-xarray python3-tqdm python3-pytest); PYTHON names it, python3 without it. Run as
# root the tests run as the user nobody, for some expect folders that cannot be written to. client_test.py,
# which uses CmdStanPy in our own words, runs beside them, and alone where DIR has no test_*.py.
#
# Tests that ppl cannot pass, with the reason:
#
#   expect a CmdStan older than 2.37:
#     test_sample.py::test_validate_good_run           "Effective sample size satisfactory.", which bin/diagnose
#                                                      has said in other words since 2.37
#     test_pathfinder.py::test_pathfinder_outputs      three columns; path__ is the fourth since 2.37
#     test_pathfinder.py::test_pathfinder_no_psis      the same
#     test_pathfinder.py::test_pathfinder_no_lp_calc   the same
#     test_pathfinder.py::test_pathfinder_threads      the same
#   want C++:
#     test_model.py::test_model_good                   a header of the user's
#   compare with what CmdStan's random numbers give:
#     test_variational.py::test_variational_good       the mean of a fit that stops early, to two decimals
#     test_optimize.py::test_variables_3d              the number of iterations from one start
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] && [ -d "$1/cmdstanpy/test" ] || { echo "usage: $0 DIR, with cmdstanpy/test and stanio in it" >&2; exit 2; }
given=$(cd "$1" && pwd)
shift
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../../../.." && go build -o "$work/ppl" ./cmd/ppl)
cp -r "$given/cmdstanpy" "$given/stanio" "$here/client_test.py" "$work"
ls "$work"/cmdstanpy/test/test_*.py >/dev/null 2>&1 || echo "there are no tests in $given/cmdstanpy/test: client_test.py alone" >&2
"$work/ppl" cmdstan "$work/cmdstan" 2>/dev/null
chmod -R u+rwX,go+rX "$work"

cat >"$work/run" <<EOF
cd "$work" || exit 1
export DATA="$work/cmdstanpy/test/data" CMDSTAN="$work/cmdstan" PPL="$work/ppl" PYTHONPATH="$work/cmdstanpy:$work/stanio" HOME="$work" TMPDIR="$work/tmp"
mkdir -p "\$TMPDIR"
exec "$python" -m pytest -q -p no:cacheprovider client_test.py cmdstanpy/test \
	--deselect cmdstanpy/test/test_sample.py::test_validate_good_run \
	--deselect cmdstanpy/test/test_pathfinder.py::test_pathfinder_outputs \
	--deselect cmdstanpy/test/test_pathfinder.py::test_pathfinder_no_psis \
	--deselect cmdstanpy/test/test_pathfinder.py::test_pathfinder_no_lp_calc \
	--deselect cmdstanpy/test/test_pathfinder.py::test_pathfinder_threads \
	--deselect cmdstanpy/test/test_model.py::test_model_good \
	--deselect cmdstanpy/test/test_variational.py::test_variational_good \
	--deselect cmdstanpy/test/test_optimize.py::test_variables_3d \
	"\$@"
EOF
code=0
if [ "$(id -u)" = 0 ]; then
	chown -R nobody "$work"
	setpriv --reuid=nobody --clear-groups sh "$work/run" "$@" >"$work/log" 2>&1 || code=$?
else
	sh "$work/run" "$@" >"$work/log" 2>&1 || code=$?
fi
grep -E '^(FAILED|ERROR) ' "$work/log" || true
tail -n 1 "$work/log"
exit "$code"
