// Prints the primes below fifty.
function is_prime(n) {
    for (d = 2; d * d <= n; d = d + 1)
        if (n / d * d == n)
            return false;
    return n > 1;
}

var found = [];
var n = 0;
while (n < 50) {
    if (is_prime(n))
        push(found, n);
    n = n + 1;
}
print(length(found), found);
