/* Which handler catches: bases, pointers, references, virtual and several bases, the order
 * of handlers, and what is not caught goes on. */
#include <everypath.h>
#include <stdexcept>

struct Left { int left = 1; virtual ~Left() {} };
struct Right { int right = 2; virtual ~Right() {} };
struct Both : Left, Right {};
struct Root { int root = 7; };
struct A : virtual Root {};
struct B : virtual Root {};
struct Diamond : A, B {};
class Hidden : Left {};

static int caught(int which) {
    static Both both;
    try {
        switch (which) {
        case 0: throw 1;
        case 1: throw 'c';
        case 2: throw Both();
        case 3: throw &both;
        case 4: throw Diamond();
        case 5: throw std::out_of_range("out");
        case 6: throw Hidden();
        case 7: throw nullptr;
        default: return -1;
        }
    } catch (int value) {
        return value;
    } catch (const Right &right) {
        return 10 + right.right;
    } catch (const Right *right) {
        return right ? 20 + right->right : 29;
    } catch (const Root &root) {
        return 30 + root.root;
    } catch (std::logic_error &error) {
        return 40 + error.what()[0];
    } catch (...) {
        return 99;
    }
}

int main() {
    static const int expected[] = {1, 99, 12, 22, 37, 40 + 'o', 99, 29, -1};
    unsigned which;
    ep_symbolic(&which, sizeof which, "which");
    ep_assume(which < 9);
    int result = caught(which);
    for (unsigned i = 0; i < 9; i++)
        if (which == i)
            ep_assert(result == expected[i]);
    return 0;
}
