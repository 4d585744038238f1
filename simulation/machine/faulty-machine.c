/* A disk that can lose power and a clock that can be set (LD_PRELOAD). The old content of each
 * write to a file of FAULTY_DISK is stored until a sync. README.md lists what is not followed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name)                                                                  \
  ({                                                                                \
    static __typeof__(&name) real_##name;                                           \
    if (real_##name == NULL) real_##name = (__typeof__(&name))find_real(#name);     \
    real_##name;                                                                    \
  })

enum sync_mode { HONEST, FAILS, LIES };

/* As machine.ts writes it. */
struct control {
  int64_t clock_us;
  int64_t sync_mode;
};

/* As machine.ts reads it; `length` bytes of old content follow. */
struct undo_header {
  char mark[8];
  int64_t offset;
  int64_t size;
  int64_t length;
};

static const char MARK[8] = {'H', 'O', 'L', 'O', 'U', 'N', 'D', 'O'};
static const struct control REST;
static const volatile struct control *control = &REST;
static char undo_folder[PATH_MAX / 2];
static char disk[PATH_MAX];
static size_t disk_length;
static dev_t device;

static void *find_real(const char *name) {
  void *real = dlsym(RTLD_NEXT, name);
  if (real == NULL) abort();
  return real;
}

__attribute__((constructor)) static void start(void) {
  const char *file = getenv("FAULTY_CONTROL");
  const char *folder = getenv("FAULTY_DISK");
  const char *undo = getenv("FAULTY_UNDO");
  int fd = file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    void *mapped = mmap(NULL, sizeof *control, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) control = mapped;
    close(fd);
  }
  struct stat found;
  if (folder == NULL || undo == NULL || realpath(folder, disk) == NULL || stat(disk, &found) != 0) return;
  device = found.st_dev;
  /* A copy: PostgreSQL writes its title over its environment. */
  snprintf(undo_folder, sizeof undo_folder, "%s", undo);
  disk_length = strlen(disk);
}

/* The lock file must name the process that runs, also after a power cut. */
static int is_kept(const char *path) {
  const char *name = strrchr(path, '/');
  return name == NULL || strcmp(name, "/postmaster.pid") != 0;
}

static int is_on_disk(int fd, struct stat *found) {
  if (disk_length == 0 || fstat(fd, found) != 0 || found->st_dev != device) return 0;
  if (!S_ISREG(found->st_mode) && !S_ISDIR(found->st_mode)) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0 || found->st_nlink == 0) return 0;
  path[length] = '\0';
  int is_inside = strncmp(path, disk, disk_length) == 0 && (path[disk_length] == '/' || path[disk_length] == '\0');
  return is_inside && is_kept(path);
}

static void to_undo_file(ino_t inode, char *file) {
  snprintf(file, PATH_MAX, "%s/%ju", undo_folder, (uintmax_t)inode);
}

/* 0, or -1 if the old content could not be stored: then nothing must be written either. */
static int store_old(int fd, off_t offset, size_t length, const struct stat *found) {
  size_t old = offset >= found->st_size ? 0 : (size_t)(found->st_size - offset);
  if (old > length) old = length;
  struct undo_header *undo = malloc(sizeof *undo + old);
  if (undo == NULL) return -1;
  memcpy(undo->mark, MARK, sizeof MARK);
  undo->offset = offset;
  undo->size = found->st_size;
  ssize_t got = old == 0 ? 0 : pread(fd, undo + 1, old, offset);
  if (got < 0 && errno == EBADF) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int reader = open(link, O_RDONLY | O_CLOEXEC);
    got = reader < 0 ? -1 : pread(reader, undo + 1, old, offset);
    if (reader >= 0) close(reader);
  }
  int result = -1;
  if (got >= 0) {
    undo->length = got;
    char file[PATH_MAX];
    to_undo_file(found->st_ino, file);
    int journal = open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    ssize_t bytes = (ssize_t)sizeof *undo + got;
    if (journal >= 0) {
      if (REAL(write)(journal, undo, bytes) == bytes) result = 0;
      close(journal);
    }
  }
  free(undo);
  return result;
}

static int before_write(int fd, off_t offset, size_t length) {
  int before = errno;
  struct stat found;
  if (!is_on_disk(fd, &found)) {
    errno = before;
    return 0;
  }
  if (store_old(fd, offset, length, &found) == 0) {
    errno = before;
    return 0;
  }
  errno = ENOSPC;
  return -1;
}

static int sync_file(int fd, int (*real)(int)) {
  int before = errno;
  struct stat found;
  if (!is_on_disk(fd, &found)) {
    errno = before;
    return real(fd);
  }
  errno = before;
  if (control->sync_mode == LIES) return 0;
  if (control->sync_mode == FAILS) {
    errno = EIO;
    return -1;
  }
  char file[PATH_MAX];
  to_undo_file(found.st_ino, file);
  int journal = open(file, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
  if (journal >= 0) close(journal);
  errno = before;
  return 0;
}

/* The number of a deleted file is given to another one. */
static void forget(const struct stat *deleted) {
  int before = errno;
  char file[PATH_MAX];
  to_undo_file(deleted->st_ino, file);
  REAL(unlink)(file);
  errno = before;
}

static int is_last_name(const char *path, struct stat *found) {
  int before = errno;
  int result = disk_length > 0 && lstat(path, found) == 0 && S_ISREG(found->st_mode) && found->st_dev == device;
  errno = before;
  return result;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  if (disk_length > 0) {
    int flags = fcntl(fd, F_GETFL);
    int before = errno;
    off_t offset = lseek(fd, 0, flags >= 0 && (flags & O_APPEND) ? SEEK_END : SEEK_CUR);
    errno = before;
    if (offset >= 0 && before_write(fd, offset, length) != 0) return -1;
  }
  return REAL(write)(fd, bytes, length);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  if (before_write(fd, offset, length) != 0) return -1;
  return REAL(pwrite)(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  return pwrite(fd, bytes, length, offset);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  size_t length = 0;
  for (int i = 0; i < count; i += 1) length += parts[i].iov_len;
  if (before_write(fd, offset, length) != 0) return -1;
  return REAL(pwritev)(fd, parts, count, offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  return pwritev(fd, parts, count, offset);
}

int ftruncate(int fd, off_t length) {
  if (before_write(fd, length, SSIZE_MAX) != 0) return -1;
  return REAL(ftruncate)(fd, length);
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

int truncate(const char *path, off_t length) {
  int fd = disk_length == 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return REAL(truncate)(path, length);
  int result = ftruncate(fd, length);
  int after = errno;
  close(fd);
  errno = after;
  return result;
}

int truncate64(const char *path, off64_t length) { return truncate(path, length); }

int fsync(int fd) { return sync_file(fd, REAL(fsync)); }

int fdatasync(int fd) { return sync_file(fd, REAL(fdatasync)); }

int unlink(const char *path) {
  struct stat found;
  int is_last = is_last_name(path, &found) && found.st_nlink == 1;
  int result = REAL(unlink)(path);
  if (result == 0 && is_last) forget(&found);
  return result;
}

int rename(const char *from, const char *to) {
  struct stat found;
  int is_last = is_last_name(to, &found);
  int result = REAL(rename)(from, to);
  if (result == 0 && is_last) forget(&found);
  return result;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = REAL(clock_gettime)(clock, now);
  int64_t ahead_us = control->clock_us;
  if (result != 0 || ahead_us == 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  int64_t us = (int64_t)now->tv_sec * 1000000 + now->tv_nsec / 1000 + ahead_us;
  now->tv_nsec = us % 1000000 * 1000 + now->tv_nsec % 1000;
  now->tv_sec = us / 1000000;
  return 0;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec precise;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return result;
}

time_t time(time_t *seconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (seconds != NULL) *seconds = now.tv_sec;
  return now.tv_sec;
}
