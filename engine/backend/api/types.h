/* SPDX-License-Identifier: Apache-2.0 */
/* The contract between the engine and its back ends, part one: element types and the view of a
 * tensor. Plain C. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_MAX_DIMS 8

/* Element types. The numbers are fixed for ever (files hold them); places are reserved for those to
 * come. */
enum TenonDType {
  TENON_F32 = 1,
  TENON_F64 = 2,
  TENON_F16 = 3,
  TENON_BF16 = 4,
  TENON_I64 = 5,
  TENON_I32 = 6,
  TENON_I8 = 7,
  TENON_U8 = 8,
  TENON_BOOL = 9,
  TENON_F8_E4M3 = 10, /* reserved from here on */
  TENON_F8_E5M2 = 11,
  TENON_I16 = 12,
  TENON_U16 = 13,
  TENON_U32 = 14,
  TENON_U64 = 15,
  TENON_I4 = 16
};

/* How elements lie in memory. */
enum TenonLayout {
  TENON_STRIDED = 0, /* element (i0, i1, ...) at sum(ik * strides[k]) */
  /* One axis is cut into blocks that lie innermost: for [N, C, H, W] with axis 1 and block 8 the
     physical order is [N, C/8, H, W, 8]. The axis is padded to a multiple of the block; the padding
     holds zeros. Always dense. */
  TENON_BLOCKED = 1
};

/* A tensor as a kernel sees it. `data` points at the first element. */
typedef struct TenonTensorView {
  void* data;
  int64_t sizes[TENON_MAX_DIMS];
  int64_t strides[TENON_MAX_DIMS]; /* in elements; only for TENON_STRIDED */
  int32_t ndim;
  int32_t dtype;  /* enum TenonDType */
  int32_t layout; /* enum TenonLayout */
  int32_t blockAxis;
  int32_t blockSize;
  int64_t paddedSize; /* size of the blocked axis with its padding */
} TenonTensorView;

#ifdef __cplusplus
}
#endif
