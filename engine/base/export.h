// SPDX-License-Identifier: Apache-2.0
// TENON_API marks what libtenon_engine exports; everything else stays hidden.
#pragma once

#define TENON_API __attribute__((visibility("default")))
