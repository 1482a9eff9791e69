/* The controller of grid.iosts. With MUTANT it takes a steep rise for a normal
   one. */

#include "../grid.c"
#include "lines.h"

int main(void)
{
    struct message message;
    for (;;) {
        emit("mReq", "");
        for (;;) {
            long long value[2];
            for (int i = 0; i < 2; i++) {
                do
                    if (!receive(&message))
                        return 0;
                while (!is(&message, "getmeas"));
                value[i] = message.number[0];
            }
            long long consumption = INTGR(value[0], value[1]);
            if (consumption <= 200) {
                emit("out", "\"ok\", %lld", consumption);
                continue;
            }
            double rise = RISE(consumption);
            double price = (1 + rise) * consumption;
#ifdef MUTANT
            const double steep = 1000;
#else
            const double steep = 1;
#endif
            if (rise > steep) {
                emit("out", "\"alarm\", %.17g", price);
                break;
            }
            emit("out", "\"ok\", %.17g", price);
        }
    }
}
