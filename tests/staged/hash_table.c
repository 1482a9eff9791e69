#include "../../examples/staged/lib/hash_table.c"
#include "check.h"

int main(void) {
    struct HashTable table = {{NULL}, 0};
    CHECK(repOk(&table));
    for (int i = 0; i < 300; i++) {
        int key = arbitrary(200) - 100, before = table.size;
        bool there = *find(&table, key) != NULL;
        CHECK(put(&table, key, i) && (*find(&table, key))->value == i && repOk(&table));
        CHECK(table.size == before + !there);
        if (i % 3 == 0)
            CHECK(removeKey(&table, key) && !removeKey(&table, key) && repOk(&table));
    }

    struct Entry second = {5, 0, NULL}, first = {1, 0, &second};
    struct HashTable small = {{NULL, &first}, 2};
    CHECK(repOk(&small));
    small.size = 1;
    CHECK(!repOk(&small));
    small.size = 2;
    second.key = 6;
    CHECK(!repOk(&small));
    second.key = 1;
    CHECK(!repOk(&small));
    second.key = 5;
    second.next = &first;
    CHECK(!repOk(&small));
    second.next = NULL;
    small.buckets[2] = &second;
    CHECK(!repOk(&small));
}
