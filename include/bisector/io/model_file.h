// Reading and writing models. Nothing here ever unpickles or executes anything.
#pragma once

#include <filesystem>
#include <istream>
#include <ostream>
#include <string_view>

#include "bisector/export.h"
#include "bisector/limits.h"
#include "bisector/model.h"

namespace bisector {

/// Reads a model, recognized by content: a LIBSVM model file, our .npz bundle or ONNX. Throws
/// FormatError with file and place, or FileError.
BISECTOR_EXPORT Model read_model(const std::filesystem::path& path, const Limits& limits = {});

/// LIBSVM's text format: c_svc, nu_svc, one_class, epsilon_svr, nu_svr with the RBF kernel, any
/// number of classes, versions 3.24 and newer. `source` names the input in errors.
BISECTOR_EXPORT Model read_libsvm_model(std::istream& in, std::string_view source,
                                        const Limits& limits = {});
/// Throws InvalidInput for a model that the format cannot hold (no kernel machine, preprocessing,
/// labels that are not integers). Feature names, target mean and median distance are left out.
BISECTOR_EXPORT void write_libsvm_model(std::ostream& out, const Model& model);

/// The .npz bundle: plain NumPy arrays and a JSON text `meta`; see docs/formats.md. A bundle that
/// cannot be written (FileError) leaves the file of that name as it was.
BISECTOR_EXPORT Model read_bundle(const std::filesystem::path& path, const Limits& limits = {});
BISECTOR_EXPORT void write_bundle(const std::filesystem::path& path, const Model& model);
/// The same bytes to a stream, for those who see to the file themselves.
BISECTOR_EXPORT void write_bundle(std::ostream& out, const Model& model);

/// ONNX files with one SVMClassifier or SVMRegressor of the RBF kernel, as skl2onnx exports them,
/// and linear operators in front of it; see docs/formats.md. Of two classes the second is the
/// positive one, as in scikit-learn.
BISECTOR_EXPORT Model read_onnx_model(const std::filesystem::path& path, const Limits& limits = {});
/// Numbers become 32 bits wide, which is all that ONNX's operators have. Throws InvalidInput for a
/// model that the format cannot hold (no kernel machine, a table's encoding, numbers beyond 32
/// bits).
BISECTOR_EXPORT void write_onnx_model(std::ostream& out, const Model& model);

}  // namespace bisector
