// The rounding mode that there is can be set; others and the flags end their path by name.
#include <everypath.h>
#include <fenv.h>
int main(void) {
    unsigned char choice;
    ep_symbolic(&choice, 1, "choice");
    if (fegetround() != FE_TONEAREST || fesetround(FE_TONEAREST) != 0 || fesetround(7) == 0)
        return 1;
    feclearexcept(FE_ALL_EXCEPT);
    if (choice == 1)
        fesetround(FE_UPWARD);
    if (choice == 2)
        return fetestexcept(FE_INEXACT);
    return 0;
}
