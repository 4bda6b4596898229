// Reading and writing model files. Nothing in a file is unpickled or executed.
#pragma once

#include <filesystem>
#include <istream>
#include <ostream>
#include <string_view>

#include "bisector/export.h"
#include "bisector/limits.h"
#include "bisector/model.h"

namespace bisector {

/// Reads a LIBSVM model or an .npz bundle; the content tells which. Throws FormatError with the
/// file and the position, or FileError.
BISECTOR_EXPORT Model read_model(const std::filesystem::path& path, const Limits& limits = {});

/// LIBSVM's text format, versions 3.24 and newer: c_svc, nu_svc, one_class, epsilon_svr and nu_svr
/// with the kernels rbf, linear, polynomial and sigmoid. `source` names the input in errors.
BISECTOR_EXPORT Model read_libsvm_model(std::istream& in, std::string_view source,
                                        const Limits& limits = {});
/// The .npz bundle: NumPy arrays and a JSON text `meta`; see docs/formats.md. It holds every model.
/// If writing fails (FileError), an existing file is unchanged. Of points in a file the bundle has
/// the name, and the file has to be in the bundle's folder (else InvalidInput).
BISECTOR_EXPORT Model read_bundle(const std::filesystem::path& path, const Limits& limits = {});
BISECTOR_EXPORT void write_bundle(const std::filesystem::path& path, const Model& model);
/// The same bytes to a stream.
BISECTOR_EXPORT void write_bundle(std::ostream& out, const Model& model);

}  // namespace bisector
