#!/bin/sh
# Connects standard input and output to a serial line:
#   serial.sh DEVICE [SPEED [LINE]]
# LINE is sent first, for devices that have to be put back to where the model begins; what the
# device still had to say before is thrown away.
stty -F "$1" "${2:-9600}" raw -echo || exit 2
[ -z "$3" ] || printf '%s\n' "$3" > "$1"
timeout 0.2 cat "$1" > /dev/null
cat "$1" &
exec cat > "$1"
