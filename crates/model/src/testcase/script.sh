#!/usr/bin/env bash
# @NAME@: @GOALS@
#
# usage: @NAME@.sh [--timeout SECONDS] COMMAND [ARGUMENT ...]
#
# Runs the system that COMMAND starts, sends it lines and compares those that come back. It needs
# bash and awk. Exit status: 0 pass, 1 fail, 2 inconclusive.

timeout=1
if [ "$1" = --timeout ]; then
    timeout=$2
    shift 2
fi
if [ $# -eq 0 ]; then
    sed -n 's/^# \{0,1\}//; 2,8p' "$0" >&2
    exit 2
fi

coproc system { exec "$@"; }
into=${system[1]} from=${system[0]} process=$system_PID
trap '' PIPE

verdict() {
    kill "$process" 2>/dev/null
    echo "@NAME@: $1${2:+: $2}"
    case $1 in
    pass) exit 0 ;;
    fail) exit 1 ;;
    *) exit 2 ;;
    esac
}

# Whether two lines say the same: spaces between values do not count, and numbers may differ by
# one in a billion. The status is 2 where only the order within braces may be another.
same() {
    came=$1 expected=$2 awk '
        function part(text) {
            if (match(text, /^"([^"\\]|\\.)*"/)) return RLENGTH
            if (match(text, /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/)) return RLENGTH
            return 1
        }
        function parts(text, found,    count, length_) {
            count = 0
            while (text != "") {
                if (is_json && text ~ /^[ \t\r]/) { text = substr(text, 2); continue }
                length_ = part(text)
                found[++count] = substr(text, 1, length_)
                text = substr(text, length_ + 1)
            }
            return count
        }
        function is_number(text) { return text ~ /^-?[0-9]/ }
        BEGIN {
            came = ENVIRON["came"]; expected = ENVIRON["expected"]
            sub(/\r$/, "", came)
            is_json = expected ~ /^\{/
            m = parts(came, a); n = parts(expected, b)
            equal = m == n
            for (i = 1; equal && i <= n; i++) {
                if (a[i] == b[i]) continue
                x = a[i] + 0; y = b[i] + 0
                size = y < 0 ? -y : y
                if (size < 1) size = 1
                equal = is_number(a[i]) && is_number(b[i]) && x - y <= size / 1e9 && y - x <= size / 1e9
            }
            if (equal) exit 0
            same_order = a[2] == "\"channel\"" && substr(expected, 2) !~ /\{/
            exit is_json && !same_order ? 2 : 1
        }'
}

send() {
    echo "$1" >&"$into" 2>/dev/null || verdict fail "the system takes no $1"
}

# expect LINE OPEN SILENCE: LINE is empty for silence; OPEN, whether the model allows other
# lines; SILENCE, whether it allows none.
expect() {
    local came=
    while IFS= read -r -t "$timeout" came <&"$from" && [ -z "$came" ]; do :; done
    if [ -z "$came" ]; then
        if ! kill -0 "$process" 2>/dev/null; then
            wait "$process"
            local status=$?
            [ $status -eq 0 ] || verdict fail "the system ended with status $status"
        fi
        [ -z "$1" ] && return
        [ "$3" = true ] && verdict inconclusive "nothing came; the test expects $1"
        verdict fail "nothing came; the test expects $1"
    fi
    if [ -n "$1" ]; then
        same "$came" "$1"
        case $? in
        0) return ;;
        2) verdict inconclusive "$came came; the test expects $1" ;;
        esac
    fi
    [ "$2" = true ] && verdict inconclusive "$came came; the test expects ${1:-nothing}"
    verdict fail "$came came; the test expects ${1:-nothing}"
}

@STEPS@
verdict pass
