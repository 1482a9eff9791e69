function fibonacci(n) {
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

print("fibonacci of 12 is", fibonacci(12));
