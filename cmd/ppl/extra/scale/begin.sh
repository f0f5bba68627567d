# The beginning of the scripts beside it, which read it: ppl is built into the folder $work, and all goes at the end. A script
# puts the processes that it starts into $started, and may define afterwards.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../../.."
work=$(mktemp -d)
started=()
afterwards() { :; }
# Only what was started here is ended, by its number.
end() {
	for p in "${started[@]}"; do kill -INT "$p" 2>/dev/null || true; done
	wait
	afterwards
	rm -rf "$work"
}
trap end EXIT
CGO_ENABLED=0 go build -o "$work/ppl" ./cmd/ppl
