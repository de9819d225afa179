/* SPDX-License-Identifier: Apache-2.0 */
/* The contract between the engine and its back ends, part two: kernels. Plain C but for the list
 * type at the end. */
#pragma once

#include "engine/backend/api/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_API_VERSION 1

enum TenonStatus {
  TENON_OK = 0,
  TENON_FAILED = 1,        /* text in TenonKernelArgs.message */
  TENON_OUT_OF_MEMORY = 2, /* the host could not allocate */
  TENON_BAD_VALUE = 3,     /* a value in an input is not allowed; text in TenonKernelArgs.message */
};

/* What a back end may ask of the engine while a kernel runs. No exception crosses these calls. */
typedef struct TenonHost {
  /* Temporary device memory from the caching allocator; null on failure. Given back with
   * releaseWorkspace. */
  void* (*takeWorkspace)(size_t bytes, void** handle);
  void (*releaseWorkspace)(void* handle);
  void (*log)(int32_t level, const char* text);
} TenonHost;

/* One call. Views of absent optional inputs have data == NULL and ndim == -1. During query `data`
 * may be NULL. */
typedef struct TenonKernelArgs {
  const TenonTensorView* inputs;
  const TenonTensorView*
      outputs; /* an output that is written in place is the same view as its input */
  int32_t inputCount;
  int32_t outputCount;
  const void* params; /* the operator's POD parameter struct (engine/ops/X/X.h) */
  void* stream;
  uint64_t randomKey;  /* seed mixed with purpose and rank; for random operators */
  uint64_t randomCall; /* number of the random call; the element index is the other half of the
                          counter */
  const TenonHost* host;
  int32_t deterministic; /* 1: results must not depend on the thread count */
  char* message;         /* where a failing kernel writes its reason */
  size_t messageBytes;
} TenonKernelArgs;

/* What a kernel wants of a tensor's layout. */
enum TenonLayoutWish {
  TENON_WISH_AS_IS = 0,      /* inputs: any layout as it comes; outputs: dense row-major */
  TENON_WISH_CONTIGUOUS = 1, /* dense row-major */
  TENON_WISH_BLOCKED = 2     /* blocked by 8 on axis 1 */
};

#define TENON_MAX_WISHES 16

/* A kernel's answer to "can you do this, and how". Zero-initialised by the caller with supported
 * = 1. */
typedef struct TenonKernelQuery {
  int32_t supported;
  const char* reason;                /* static text, when not supported */
  uint8_t inputs[TENON_MAX_WISHES];  /* enum TenonLayoutWish; inputs beyond the limit are taken as
                                        CONTIGUOUS */
  uint8_t outputs[TENON_MAX_WISHES]; /* enum TenonLayoutWish */
} TenonKernelQuery;

/* One implementation of one operator. The engine asks those of an operator in the order of
 * priority. */
typedef struct TenonKernel {
  const char* op;   /* OpDef id */
  const char* name; /* which implementation: "onednn", "simd", "reference", ... */
  int32_t priority; /* higher is asked first; "reference" has 0 */
  uint32_t dtypes;  /* bit TenonDType set: type of the first present input it takes */
  void (*query)(const TenonKernelArgs* args,
                TenonKernelQuery* answer);     /* may be NULL: all dense row-major */
  int32_t (*run)(const TenonKernelArgs* args); /* returns enum TenonStatus */
} TenonKernel;

#define TENON_DTYPE_BIT(t) (1u << (t))

#ifdef __cplusplus
}

namespace tenon {
/// The kernels that one file defines.
struct KernelList {
  const TenonKernel* data = nullptr;
  int count = 0;
};
}  // namespace tenon
#endif
