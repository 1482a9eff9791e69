/* Memory is given back by the counterpart of what it came from. */
#include <cstdlib>
#include <everypath.h>

int main() {
    int which;
    ep_symbolic(&which, sizeof which, "which");
    switch (which) {
    case 0:
        delete new int[3];
        break;
    case 1:
        delete[] new int;
        break;
    case 2:
        std::free(new int);
        break;
    case 3:
        delete static_cast<int *>(std::malloc(4));
        break;
    default:
        delete new int;
        delete[] new int[3];
        std::free(std::malloc(4));
    }
    return 0;
}
