// SPDX-License-Identifier: Apache-2.0
// The benchmark's networks that are graphs of layers, as a project's model is.
#pragma once

#include "engine/project/specs.h"

namespace tenon::cli {

/// 784 numbers to 10 classes, two hidden layers of 512.
GraphSpec mlpGraph();
/// 16 numbers to 2 classes, two hidden layers of 32.
GraphSpec tinyMlpGraph();
/// Images [1, 28, 28] to 10 classes: four convolutions, two linear layers.
GraphSpec cnnGraph();
/// ResNet-18 for small images [3, H, W] to 10 classes: a stem of 3x3 without pooling (He et al.
/// 2015, arXiv:1512.03385).
GraphSpec resnet18CifarGraph();
/// ResNet-50 for images [3, H, W] to 1,000 classes, the stride in the 3x3 convolution.
GraphSpec resnet50Graph();

}  // namespace tenon::cli
