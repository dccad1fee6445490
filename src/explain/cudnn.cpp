// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/rule.h"
#include "explain/words.h"

namespace sextant::explain {

namespace {

void words(const Name& name, Explanation* to) {
  explain_gemm_words(name.base, to);
}

void order_change(const Name& name, Explanation* to) {
  first_type(name, to);
  to->note(
      "Such a conversion is there since the data's order is not the one that the fastest convolution wants: "
      "keeping data "
      "in that order (channels last) saves it.");
}

constexpr Rule kRules[] = {
    {"*scudnn_winograd_*", "convolution by Winograd's method", words},
    {"*cudnn_*_*x*", "convolution", words},
    {"*_scudnn_*", "convolution", words},
    {"*_hcudnn_*", "convolution", words},
    {"*_xmma_fprop_*", "convolution, forward", words},
    {"*_xmma_dgrad_*", "convolution, gradient of the input (dgrad)", words},
    {"*_xmma_wgrad_*", "convolution, gradient of the weights (wgrad)", words},
    {"*xmma*cudnn*", "convolution", words},
    {"cudnn_generated_fort_native_sdpa*", "attention", nullptr},
    {"cudnn_generated_*", "a kernel generated for a graph of operations", nullptr},
    {"*nchwToNhwcKernel", "changes the data's order from NCHW to NHWC", order_change},
    {"*nhwcToNchwKernel", "changes the data's order from NHWC to NCHW", order_change},
    {"*nchwToFoldedNhwcKernel", "changes the data's order from NCHW to folded NHWC", order_change},
    {"*nhwcToFoldedNhwcKernel", "changes the data's order from NHWC to folded NHWC", order_change},
    {"*nhwcAddPaddingKernel", "pads data for a convolution", first_type},
    {"explicit_convolve_sgemm", "convolution as a matrix multiplication", first_type},
    {"implicit_convolve_sgemm", "convolution as an implicit GEMM, forward", first_type},
    {"convolve_common_engine*", "convolution, forward", first_type},
    {"precomputed_convolve_sgemm", "convolution with addresses from a table, forward", first_type},
    {"*wgrad_alg*_engine*", "convolution, gradient of the weights (wgrad)", first_type},
    {"wgrad2d_*", "convolution, gradient of the weights (wgrad)", first_type},
    {"dgrad_engine*", "convolution, gradient of the input (dgrad)", first_type},
    {"dgrad2d_*", "convolution, gradient of the input (dgrad)", first_type},
    {"cudnn::detail::dgrad*", "convolution, gradient of the input (dgrad)", first_type},
    {"conv2d_grouped_direct_kernel", "grouped convolution", first_type},
    {"conv2d_c1_k1_nchw_*", "convolution of single channels (depthwise)", first_type},
    {"cask_cudnn*::computeBOffsetsKernel", "prepares a convolution: table of addresses", nullptr},
    {"cask_cudnn*::computeOffsetsKernel*", "prepares a convolution: table of addresses", nullptr},
    {"cask_cudnn*::*Offsets*", "prepares a convolution: table of addresses", nullptr},
    {"cask_cudnn*::*", "part of a convolution", nullptr},
    {"cudnn::bn_fw_tr_*", "batch normalisation, forward while training", first_type},
    {"cudnn::bn_fw_inf_*", "batch normalisation, inference", first_type},
    {"cudnn::bn_bw_*", "batch normalisation, backward", first_type},
    {"bn_fw_tr_1C11_*", "batch normalisation, forward while training", first_type},
    {"bn_fw_inf_*", "batch normalisation, inference", first_type},
    {"bn_bw_1C11_*", "batch normalisation, backward", first_type},
    {"cudnn::cnn::im2col4d_kernel", "lays a convolution's inputs out as a matrix", first_type},
    {"cudnn::cnn::reduce_wgrad*", "adds up parts of the weights' gradient", first_type},
    {"cudnn::winograd*::*Forward*", "part of a convolution by Winograd's method, forward", first_type},
    {"cudnn::winograd*::*Wgrad*", "part of a convolution by Winograd's method, gradient of the weights",
     first_type},
    {"cudnn::winograd*::*", "part of a convolution by Winograd's method", first_type},
    {"cudnn::ops::scalePackedTensor_kernel", "scales a tensor", first_type},
    {"cudnn::ops::pooling_fw*", "pooling, forward", first_type},
    {"cudnn::ops::pooling_bw*", "pooling, backward", first_type},
    {"pooling_fw_*", "pooling, forward", first_type},
    {"pooling_bw_*", "pooling, backward", first_type},
    {"cudnn::reduced_divisor*", "a reduction", first_type},
    {"cudnn::softmax_*", "softmax", first_type},
    {"softmax_fw_*", "softmax, forward", first_type, false},
    {"softmax_bw_*", "softmax, backward", first_type, false},
    {"op_generic_tensor_kernel*", "element-wise operation on tensors", first_type},
    {"op_tensor_*", "element-wise operation on tensors", first_type, false},
    {"LSTM_elementWise_*", "LSTM, element-wise part", first_type},
    {"GRU_elementWise_*", "GRU, element-wise part", first_type},
    {"RNN_blockPersist_*", "recurrent layer that stays on the GPU", first_type},
    {"persistRNN*", "recurrent layer that stays on the GPU", first_type},
    {"fft2d_r2c_*", "convolution by FFT: forward transform", first_type},
    {"fft2d_c2r_*", "convolution by FFT: backward transform", first_type},
    {"flip_filter", "convolution by FFT: turns the filter", first_type},
    {"lrn*_fw*", "local response normalisation, forward", first_type, false},
    {"cudnn::*", "part of a neural network", first_type},
};

}  // namespace

const Family kCudnn{"cuDNN", kRules};

}  // namespace sextant::explain
