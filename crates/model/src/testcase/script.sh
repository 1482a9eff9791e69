#!/usr/bin/env bash
# @NAME@: @GOALS@
#
# usage: @NAME@.sh [--timeout SECONDS] [--tolerance SECONDS] [--simulated] COMMAND [ARGUMENT ...]
#
# Runs the system that COMMAND starts, sends it lines and compares those that come back. Where
# it matters when they come, that is known up to the tolerance (0.05); with --simulated, time
# passes by messages that tell the system so. It needs bash 5 and awk. Exit status: 0 pass,
# 1 fail, 2 inconclusive.

timeout=1 tolerance=0.05 simulated=
while :; do
    case $1 in
    --timeout) timeout=$2 && shift 2 ;;
    --tolerance) tolerance=$2 && shift 2 ;;
    --simulated) simulated=yes && shift ;;
    *) break ;;
    esac
done
if [ $# -eq 0 ]; then
    sed -n 's/^# \{0,1\}//; 2,10p' "$0" >&2
    exit 2
fi

# Times are in milliseconds. Message number I was between ${low[I]} and ${high[I]} since the
# beginning, which has the number 0; the system was told of time from told_low to told_high.
millis() { awk -v s="$1" 'BEGIN { printf "%d", s * 1000 + 0.5 }'; }
patience=$(millis "$timeout") apart=$(millis "$tolerance")
moment() { now=${EPOCHREALTIME/[.,]/}; now=$((now / 1000 - started)); }
started=0 && moment && started=$now
# How much later than planned the tester may send; 0 if it does not matter.
slack=@SLACK@
low=(0) high=(0) last=0 planned=0 told_low=0 told_high=0

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

transmit() {
    echo "$1" >&"$into" 2>/dev/null || verdict fail "the system takes no $1"
}

# note LOW HIGH: a message was exchanged then.
note() {
    low+=("$1") high+=("$2")
    last=$(((${1} + ${2}) / 2)) planned=0
}

# receive MILLISECONDS: the next line that is not empty, in $came.
receive() {
    local left=$1
    [ "$left" -gt 0 ] || left=1
    came=
    while IFS= read -r -t "$((left / 1000)).$(printf %03d $((left % 1000)))" came <&"$from" &&
        [ -z "$came" ]; do :; done
    moment
}

send() {
    if [ -n "$simulated" ]; then
        told_low=$told_high
        note "$told_high" "$told_high"
    else
        moment
        local late=$((now - last - planned))
        if [ "$slack" -gt 0 ] && [ "${late#-}" -gt "$slack" ]; then
            verdict inconclusive "the tester was too slow"
        fi
        note $((now - apart)) $((now + apart))
    fi
    transmit "$1"
}

# let_pass MILLISECONDS LINE QUIET OPEN: a system with simulated time is told of it by LINE;
# QUIET, whether nothing should come meanwhile; OPEN, whether the model allows that something does.
let_pass() {
    planned=$((planned + $1))
    if [ -n "$simulated" ]; then
        [ -n "$2" ] || verdict inconclusive "there is no message that tells the system of time"
        told_low=$told_high told_high=$((told_high + $1))
        transmit "$2"
    fi
    [ "$3" = true ] || return
    if [ -n "$simulated" ]; then
        receive $((patience / 10))
    else
        moment
        receive $((planned - (now - last)))
    fi
    [ -z "$came" ] && return
    local reason="$came came; the test expects nothing for $planned ms"
    [ "$4" = true ] && verdict inconclusive "$reason"
    verdict fail "$reason"
}

# expect LINE OPEN SILENCE [NUMBER LEAST MOST]...: LINE is empty for silence; OPEN, whether the
# model allows other lines; SILENCE, whether it allows none; so many milliseconds after the
# message of that number it may come, where MOST may be "-".
expect() {
    local line=$1 open=$2 silence=$3 came= wrong= bounded= end=
    shift 3
    local since=("$@") i
    for ((i = 0; i < ${#since[@]}; i += 3)); do
        [ "${since[i + 2]}" = - ] && continue
        bounded=yes
        local until=$((${high[since[i]]} + ${since[i + 2]}))
        { [ -z "$end" ] || [ "$until" -lt "$end" ]; } && end=$until
    done
    moment
    if [ -n "$simulated" ]; then
        receive "$patience"
    elif [ -n "$bounded" ]; then
        receive $((end + apart + 1 - now))
    else
        local left=$((planned - (now - last)))
        receive $(((left > 0 ? left : 0) + patience))
    fi
    local from_=$((now - apart)) to_=$((now + apart))
    if [ -n "$simulated" ]; then
        from_=$told_low to_=$told_high
        [ -z "$came" ] && from_=$told_high
    fi
    for ((i = 0; i < ${#since[@]}; i += 3)); do
        local number=${since[i]} most=${since[i + 2]}
        if [ $((to_ - ${low[number]})) -lt "${since[i + 1]}" ]; then
            wrong="too early"
        elif [ "$most" != - ] && [ $((from_ - ${high[number]})) -gt "$most" ]; then
            wrong="too late"
        fi
    done
    if [ -z "$came" ]; then
        if ! kill -0 "$process" 2>/dev/null; then
            wait "$process"
            local status=$?
            [ $status -eq 0 ] || verdict fail "the system ended with status $status"
        fi
        [ -z "$line" ] && return
        if [ "$silence" = true ] || { [ -n "$bounded" ] && [ "$wrong" != "too late" ]; }; then
            verdict inconclusive "nothing came; the test expects $line"
        fi
        verdict fail "nothing came; the test expects $line"
    fi
    if [ -n "$line" ]; then
        same "$came" "$line"
        case $? in
        0)
            [ -n "$wrong" ] && verdict fail "$came came $wrong, at $(((from_ + to_) / 2)) ms"
            note "$from_" "$to_"
            return
            ;;
        2) verdict inconclusive "$came came; the test expects $line" ;;
        esac
    fi
    [ "$open" = true ] && verdict inconclusive "$came came; the test expects ${line:-nothing}"
    verdict fail "$came came; the test expects ${line:-nothing}"
}

@STEPS@
verdict pass
