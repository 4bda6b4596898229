// Reading and writing models. Nothing here ever unpickles or executes anything.
#pragma once

#include <filesystem>
#include <istream>
#include <ostream>
#include <string_view>

#include "bisector/model.h"

namespace bisector {

/// Reads a model, recognised by content: a LIBSVM model file or our .npz bundle. Throws FormatError
/// with file and line, or FileError.
Model read_model(const std::filesystem::path& path);

/// LIBSVM's text format: c_svc, nu_svc, one_class, epsilon_svr, nu_svr with the RBF kernel, any
/// number of classes, versions 3.24 and newer. `source` names the input in errors.
Model read_libsvm_model(std::istream& in, std::string_view source);
/// Throws InvalidInput for a model that the format cannot hold (no kernel machine, preprocessing,
/// labels that are not integers). Feature names, target mean and median distance are left out.
void write_libsvm_model(std::ostream& out, const Model& model);

/// The .npz bundle: plain NumPy arrays and a JSON text `meta`; see docs/formats.md. A bundle that
/// cannot be written (FileError) leaves the file of that name as it was.
Model read_bundle(const std::filesystem::path& path);
void write_bundle(const std::filesystem::path& path, const Model& model);

}  // namespace bisector
