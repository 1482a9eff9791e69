/* elf: shows the header, the segments and the sections of an executable (ELF, 64 bits).
 *
 *   everypath run elf.c --sym-files 1 136 -- A
 *
 * Everything is at an offset that the file itself names: none of them is trusted.
 */
#include <elf.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char *bytes;
static uint64_t size;

static void read_file(const char *name) {
    FILE *file = fopen(name, "r");
    if (!file)
        err(1, "%s", name);
    uint64_t room = 256;
    bytes = malloc(room);
    while (bytes) {
        size += fread(bytes + size, 1, room - size, file);
        if (size < room)
            break;
        room *= 2;
        bytes = realloc(bytes, room);
    }
    if (!bytes)
        err(1, "%s", name);
    fclose(file);
#ifdef BUG_1 /* use-after-free */
    unsigned char *fitted = realloc(bytes, size + 1);
    if (!fitted)
        err(1, "%s", name);
#endif
}

/* A part of the file; NULL if it is not all there. Sums of offsets may overflow. */
static const void *part(uint64_t offset, uint64_t length) {
#ifdef BUG_2 /* out-of-bounds-read */
    if (offset + length > size)
#else
    if (offset > size || length > size - offset)
#endif
        return NULL;
    return bytes + offset;
}

struct naming {
    uint64_t value;
    const char *name;
};

static const struct naming file_types[] = {
    {ET_REL, "object"}, {ET_EXEC, "executable"}, {ET_DYN, "shared object"}, {ET_CORE, "core"}};
static const struct naming machines[] = {
    {EM_386, "i386"}, {EM_ARM, "ARM"}, {EM_X86_64, "x86-64"}, {EM_AARCH64, "AArch64"},
    {EM_RISCV, "RISC-V"}};
static const struct naming segment_types[] = {
    {PT_NULL, "unused"}, {PT_LOAD, "load"}, {PT_DYNAMIC, "dynamic"}, {PT_INTERP, "interpreter"},
    {PT_NOTE, "note"}, {PT_PHDR, "headers"}, {PT_TLS, "thread-local"}};
static const struct naming section_types[] = {
    {SHT_NULL, "unused"}, {SHT_PROGBITS, "bits"}, {SHT_SYMTAB, "symbols"}, {SHT_STRTAB, "strings"},
    {SHT_REL, "relocations"}, {SHT_DYNAMIC, "dynamic"}, {SHT_NOTE, "note"}, {SHT_NOBITS, "zeros"}};

#define NAME(table, value) name_of(table, sizeof table / sizeof *table, value)

static const char *name_of(const struct naming *table, size_t count, uint64_t value) {
    static char number[24];
    for (size_t i = 0; i < count; i++) {
        if (table[i].value == value)
            return table[i].name;
    }
    snprintf(number, sizeof number, "%#llx", (unsigned long long)value);
    return number;
}

static void check_identity(const Elf64_Ehdr *header) {
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        errx(1, "no ELF file");
    if (header->e_ident[EI_CLASS] != ELFCLASS64)
        errx(1, "not of 64 bits");
    if (header->e_ident[EI_DATA] != ELFDATA2LSB)
        errx(1, "not of little-endian numbers");
    if (header->e_version != EV_CURRENT)
        errx(1, "version %u is not known", header->e_version);
}

static void put_header(const Elf64_Ehdr *header) {
    printf("%s", NAME(file_types, header->e_type));
    printf(" for %s, starts at %#llx\n", NAME(machines, header->e_machine),
           (unsigned long long)header->e_entry);
}

static void put_flags(uint32_t flags) {
    printf(" %c%c%c", flags & PF_R ? 'r' : '-', flags & PF_W ? 'w' : '-', flags & PF_X ? 'x' : '-');
}

static int put_interpreter(const Elf64_Phdr *segment) {
    const char *text = part(segment->p_offset, segment->p_filesz);
    if (!text || segment->p_filesz == 0 || text[segment->p_filesz - 1] != '\0') {
        printf(" that is not a text");
        return 1;
    }
    printf(" `%s`", text);
    return 0;
}

static int put_segment(const Elf64_Phdr *segment) {
    int status = 0;
    printf("segment %s", NAME(segment_types, segment->p_type));
    put_flags(segment->p_flags);
    if (segment->p_type == PT_INTERP)
        status = put_interpreter(segment);
    if (segment->p_type == PT_LOAD && segment->p_filesz > segment->p_memsz) {
        printf(" has more bytes in the file than in memory");
        status = 1;
    }
#ifdef BUG_3 /* division */
    if (segment->p_vaddr % segment->p_align != segment->p_offset % segment->p_align) {
#else
    if (segment->p_align > 1
        && segment->p_vaddr % segment->p_align != segment->p_offset % segment->p_align) {
#endif
        printf(" is not aligned");
        status = 1;
    }
    putchar('\n');
    return status;
}

static int put_segments(const Elf64_Ehdr *header) {
    int status = 0;
    if (header->e_phnum > 0 && header->e_phentsize != sizeof(Elf64_Phdr)) {
        warnx("headers of segments have %u bytes", header->e_phentsize);
        return 1;
    }
    for (uint64_t i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        const void *from = part(header->e_phoff + i * sizeof segment, sizeof segment);
        if (!from) {
            warnx("segment %llu is not in the file", (unsigned long long)i);
            return 1;
        }
        memcpy(&segment, from, sizeof segment);
        status |= put_segment(&segment);
    }
    return status;
}

static bool read_section(const Elf64_Ehdr *header, uint64_t index, Elf64_Shdr *section) {
    const void *from = part(header->e_shoff + index * sizeof *section, sizeof *section);
    if (from)
        memcpy(section, from, sizeof *section);
    return from != NULL;
}

/* The name of a section: a text in the section that the header names. */
static const char *section_name(const Elf64_Shdr *names, const Elf64_Shdr *section) {
    const char *all = part(names->sh_offset, names->sh_size);
    if (!all || section->sh_name >= names->sh_size)
        return "?";
    const char *name = all + section->sh_name;
    if (!memchr(name, '\0', names->sh_size - section->sh_name))
        return "?";
    return name;
}

static int put_sections(const Elf64_Ehdr *header) {
    Elf64_Shdr names, section;
    if (header->e_shnum == 0)
        return 0;
    if (header->e_shentsize != sizeof section || header->e_shstrndx >= header->e_shnum
        || !read_section(header, header->e_shstrndx, &names)) {
        warnx("the names of sections are not in the file");
        return 1;
    }
    for (uint64_t i = 0; i < header->e_shnum; i++) {
        if (!read_section(header, i, &section)) {
            warnx("section %llu is not in the file", (unsigned long long)i);
            return 1;
        }
        printf("section %s `%s`", NAME(section_types, section.sh_type),
               section_name(&names, &section));
        if (section.sh_type != SHT_NOBITS && !part(section.sh_offset, section.sh_size))
            printf(" is cut off");
        if (section.sh_entsize > 0)
            printf(", %llu entries", (unsigned long long)(section.sh_size / section.sh_entsize));
        putchar('\n');
    }
    return 0;
}

int main(int argc, char **argv) {
    Elf64_Ehdr header;
    int option;
    bool segments = true, sections = true;
    while ((option = getopt(argc, argv, "lS")) != -1) {
        if (option == '?')
            errx(1, "usage: elf [-l | -S] file");
        segments = option == 'l';
        sections = option == 'S';
    }
    if (optind + 1 != argc)
        errx(1, "give one file");
    read_file(argv[optind]);
    const void *start = part(0, sizeof header);
    if (!start)
        errx(1, "no ELF file: it is too short");
    memcpy(&header, start, sizeof header);
    check_identity(&header);
    put_header(&header);
    int status = 0;
    if (segments)
        status |= put_segments(&header);
    if (sections)
        status |= put_sections(&header);
    free(bytes);
    return status;
}
