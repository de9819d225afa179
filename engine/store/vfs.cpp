// SPDX-License-Identifier: Apache-2.0
// A thin SQLite VFS over the default one. It passes everything on, asks the fault hook before
// opens, writes, syncs, truncations and removals, and remembers the errno of what failed.
#include "engine/store/vfs.h"

#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <new>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/file_faults.h"

namespace tenon {
namespace {

thread_local int lastError = 0;

/// What SQLite holds per open file: our head, then the file object of the layer below.
struct ShimFile {
  sqlite3_file head;
  const char* name;       // SQLite keeps it valid while the file is open; null for temporary files
  FileIdentity identity;  // of what was opened
  FileIdentity index;     // of the write-ahead log's index, once it is used
  bool wasEmpty;          // when it was last looked at

  sqlite3_file* below() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

ShimFile* shim(sqlite3_file* file) { return reinterpret_cast<ShimFile*>(file); }
sqlite3_file* below(sqlite3_file* file) { return shim(file)->below(); }
const sqlite3_io_methods* methods(sqlite3_file* file) { return below(file)->pMethods; }

sqlite3_vfs* systemVfs() {
  static sqlite3_vfs* const kVfs = sqlite3_vfs_find(nullptr);
  return kVfs;
}

bool faulted(FileOperation operation, const char* name) {
  const int osError = fileFault(operation, name == nullptr ? "" : name);
  if (osError != 0) lastError = osError;
  return osError != 0;
}

/// Remembers errno if the layer below failed.
int remember(int result) {
  const int kind = result & 0xff;
  if (kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN || kind == SQLITE_FULL) lastError = errno;
  return result;
}

int shimClose(sqlite3_file* file) { return methods(file)->xClose(below(file)); }

int shimRead(sqlite3_file* file, void* into, int bytes, sqlite3_int64 offset) {
  if (faulted(FileOperation::Read, shim(file)->name)) return SQLITE_IOERR_READ;
  const int result = methods(file)->xRead(below(file), into, bytes, offset);
  return result == SQLITE_IOERR_SHORT_READ ? result : remember(result);
}

int shimWrite(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 offset) {
  if (faulted(FileOperation::Write, shim(file)->name))
    return lastError == ENOSPC || lastError == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  return remember(methods(file)->xWrite(below(file), from, bytes, offset));
}

int shimTruncate(sqlite3_file* file, sqlite3_int64 bytes) {
  if (faulted(FileOperation::Truncate, shim(file)->name)) return SQLITE_IOERR_TRUNCATE;
  return remember(methods(file)->xTruncate(below(file), bytes));
}

int shimSync(sqlite3_file* file, int flags) {
  if (faulted(FileOperation::Sync, shim(file)->name)) return SQLITE_IOERR_FSYNC;
  return remember(methods(file)->xSync(below(file), flags));
}

int shimFileSize(sqlite3_file* file, sqlite3_int64* bytes) {
  return remember(methods(file)->xFileSize(below(file), bytes));
}

int shimLock(sqlite3_file* file, int level) { return methods(file)->xLock(below(file), level); }
int shimUnlock(sqlite3_file* file, int level) { return methods(file)->xUnlock(below(file), level); }
int shimCheckReservedLock(sqlite3_file* file, int* held) {
  return methods(file)->xCheckReservedLock(below(file), held);
}
int shimFileControl(sqlite3_file* file, int operation, void* argument) {
  return methods(file)->xFileControl(below(file), operation, argument);
}
int shimSectorSize(sqlite3_file* file) { return methods(file)->xSectorSize(below(file)); }
int shimDeviceCharacteristics(sqlite3_file* file) {
  return methods(file)->xDeviceCharacteristics(below(file));
}

std::string indexPath(sqlite3_file* file) { return std::string(shim(file)->name) + "-shm"; }

int shimShmMap(sqlite3_file* file, int region, int bytes, int extend, void volatile** out) {
  if (extend != 0 && faulted(FileOperation::Write, shim(file)->name)) return SQLITE_IOERR_SHMSIZE;
  const int result = remember(methods(file)->xShmMap(below(file), region, bytes, extend, out));
  if (result == SQLITE_OK && !shim(file)->index.known())
    shim(file)->index = fileIdentity(indexPath(file));
  return result;
}
int shimShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return methods(file)->xShmLock(below(file), offset, count, flags);
}
void shimShmBarrier(sqlite3_file* file) { methods(file)->xShmBarrier(below(file)); }
int shimShmUnmap(sqlite3_file* file, int remove) {
  return methods(file)->xShmUnmap(below(file), remove);
}
int shimFetch(sqlite3_file* file, sqlite3_int64 offset, int bytes, void** out) {
  return methods(file)->xFetch(below(file), offset, bytes, out);
}
int shimUnfetch(sqlite3_file* file, sqlite3_int64 offset, void* page) {
  return methods(file)->xUnfetch(below(file), offset, page);
}

constexpr sqlite3_io_methods methodsOfVersion(int version) {
  return {version,
          shimClose,
          shimRead,
          shimWrite,
          shimTruncate,
          shimSync,
          shimFileSize,
          shimLock,
          shimUnlock,
          shimCheckReservedLock,
          shimFileControl,
          shimSectorSize,
          shimDeviceCharacteristics,
          shimShmMap,
          shimShmLock,
          shimShmBarrier,
          shimShmUnmap,
          shimFetch,
          shimUnfetch};
}

/// Offers no more than the layer below does (version 2 adds shared memory, 3 memory mapping).
const sqlite3_io_methods* methodsFor(int version) {
  static constexpr sqlite3_io_methods kMethods[] = {methodsOfVersion(1), methodsOfVersion(2),
                                                    methodsOfVersion(3)};
  return &kMethods[version < 1 ? 0 : (version > 3 ? 2 : version - 1)];
}

int shimOpen(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flagsOut) {
  file->pMethods = nullptr;
  if (faulted(FileOperation::Open, name)) return SQLITE_CANTOPEN;
  if ((flags & SQLITE_OPEN_READWRITE) != 0 && faulted(FileOperation::OpenForWriting, name))
    return SQLITE_CANTOPEN;
  shim(file)->name = name;
  shim(file)->identity = shim(file)->index = {};
  shim(file)->wasEmpty = true;
  sqlite3_file* real = below(file);
  real->pMethods = nullptr;
  const int result = remember(systemVfs()->xOpen(systemVfs(), name, real, flags, flagsOut));
  if (result == SQLITE_OK) {
    file->pMethods = methodsFor(real->pMethods->iVersion);
    if (name != nullptr) shim(file)->identity = fileIdentity(name);
  } else if (real->pMethods != nullptr) {
    real->pMethods->xClose(real);
  }
  return result;
}

int shimDelete(sqlite3_vfs*, const char* name, int syncFolder) {
  if (faulted(FileOperation::Remove, name)) return SQLITE_IOERR_DELETE;
  const int result = systemVfs()->xDelete(systemVfs(), name, syncFolder);
  return result == SQLITE_IOERR_DELETE_NOENT ? result : remember(result);
}

int shimAccess(sqlite3_vfs*, const char* name, int flags, int* out) {
  return systemVfs()->xAccess(systemVfs(), name, flags, out);
}
int shimFullPathname(sqlite3_vfs*, const char* name, int bytes, char* out) {
  return systemVfs()->xFullPathname(systemVfs(), name, bytes, out);
}
int shimRandomness(sqlite3_vfs*, int bytes, char* out) {
  return systemVfs()->xRandomness(systemVfs(), bytes, out);
}
int shimSleep(sqlite3_vfs*, int us) { return systemVfs()->xSleep(systemVfs(), us); }
int shimCurrentTime(sqlite3_vfs*, double* out) {
  return systemVfs()->xCurrentTime(systemVfs(), out);
}
int shimCurrentTimeInt64(sqlite3_vfs*, sqlite3_int64* out) {
  return systemVfs()->xCurrentTimeInt64(systemVfs(), out);
}
int shimGetLastError(sqlite3_vfs*, int, char*) { return lastError; }

sqlite3_vfs makeVfs() {
  sqlite3_vfs vfs{};
  vfs.iVersion = 2;  // without the system call overrides of version 3
  vfs.szOsFile = static_cast<int>(sizeof(ShimFile)) + systemVfs()->szOsFile;
  vfs.mxPathname = systemVfs()->mxPathname;
  vfs.zName = "tenon";
  vfs.xOpen = shimOpen;
  vfs.xDelete = shimDelete;
  vfs.xAccess = shimAccess;
  vfs.xFullPathname = shimFullPathname;
  vfs.xRandomness = shimRandomness;
  vfs.xSleep = shimSleep;
  vfs.xCurrentTime = shimCurrentTime;
  vfs.xCurrentTimeInt64 = shimCurrentTimeInt64;
  vfs.xGetLastError = shimGetLastError;
  return vfs;
}

/// One of the two files of a connection if it is open through this layer, or null.
ShimFile* fileBehind(sqlite3* connection, int which) {
  sqlite3_file* file = nullptr;
  if (connection == nullptr) return nullptr;
  if (sqlite3_file_control(connection, "main", which, &file) != SQLITE_OK) return nullptr;
  const bool ours = file != nullptr && file->pMethods != nullptr &&
                    file->pMethods->xClose == &shimClose && shim(file)->name != nullptr;
  return ours ? shim(file) : nullptr;
}

bool isWriteAheadLog(const ShimFile& file) { return std::string_view(file.name).ends_with("-wal"); }

}  // namespace

const char* storeVfsName() {
  static sqlite3_vfs vfs = makeVfs();
  static const int kResult = sqlite3_vfs_register(&vfs, 0);
  if (kResult != SQLITE_OK) throw Error(Code::Internal, "[store] SQLite refuses the file layer");
  return vfs.zName;
}

int lastVfsError() { return lastError; }
void clearVfsError() { lastError = 0; }

FileIdentity openedFile(sqlite3* connection) {
  const ShimFile* file = fileBehind(connection, SQLITE_FCNTL_FILE_POINTER);
  return file == nullptr ? FileIdentity{} : file->identity;
}

std::string misplacedFile(sqlite3* connection) {
  ShimFile* file = fileBehind(connection, SQLITE_FCNTL_FILE_POINTER);
  if (file == nullptr) return {};
  if (fileIdentity(file->name) != file->identity) return file->name;
  // A rollback journal comes and goes; the log stays while anybody has it open.
  const ShimFile* log = fileBehind(connection, SQLITE_FCNTL_JOURNAL_POINTER);
  if (log == nullptr || !isWriteAheadLog(*log)) return {};
  if (fileIdentity(log->name) != log->identity) return log->name;
  if (!file->index.known()) return {};
  const std::string index = indexPath(&file->head);
  return fileIdentity(index) == file->index ? std::string() : index;
}

bool beginsLikeDatabase(sqlite3* connection) {
  static constexpr std::string_view kMagic("SQLite format 3\0", 16);
  ShimFile* file = fileBehind(connection, SQLITE_FCNTL_FILE_POINTER);
  if (file == nullptr) return true;
  std::array<char, kMagic.size()> head{};
  const int result = methods(&file->head)->xRead(file->below(), head.data(), head.size(), 0);
  // A read that fails says so itself when it matters; a database that is just made is empty.
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) return true;
  if (file->wasEmpty && head == decltype(head){}) return true;
  file->wasEmpty = false;
  return std::string_view(head.data(), head.size()) == kMagic;
}

}  // namespace tenon
