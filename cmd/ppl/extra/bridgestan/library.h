#include <stddef.h>

// The path of the file that this library was loaded from; null where it is not known.
const char *ppl_path(void);

// Gives a text to the callback that was set, or to standard output.
void ppl_print(const char *text, size_t size);
