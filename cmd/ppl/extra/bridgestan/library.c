//go:build bridgestan

// What of the interface is no function of Go: the version, the callback of print statements, and where the library lies.
#define _GNU_SOURCE
#include "library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

__attribute__((visibility("default"))) const int bs_major_version = 2;
__attribute__((visibility("default"))) const int bs_minor_version = 9;
__attribute__((visibility("default"))) const int bs_patch_version = 0;

typedef void (*print_callback)(const char *text, size_t size);
static print_callback callback;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER; // callbacks need not be safe for several threads

__attribute__((visibility("default"))) int bs_set_print_callback(print_callback to, char **error) {
	(void)error;
	pthread_mutex_lock(&one_at_a_time);
	callback = to;
	pthread_mutex_unlock(&one_at_a_time);
	return 0;
}

void ppl_print(const char *text, size_t size) {
	pthread_mutex_lock(&one_at_a_time);
	if (callback) {
		callback(text, size);
	} else {
		fwrite(text, 1, size, stdout);
		fflush(stdout);
	}
	pthread_mutex_unlock(&one_at_a_time);
}

const char *ppl_path(void) {
	Dl_info found;
	return dladdr((void *)ppl_path, &found) ? found.dli_fname : NULL;
}
