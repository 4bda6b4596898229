// Everything that reading models and data, predicting and explaining needs.
//
// Threads. Functions may be called from any number of threads at once. Objects may be shared
// between threads as long as nobody assigns to them, moves or destroys them: their const members
// change nothing that can be seen, and results are the same, bit for bit, whatever runs beside.
// That holds for models, DecisionFunction, Explainer, ExactShapleyValues,
// DensityEstimate and everything that is plain data. A DataReader, a ReportBuilder
// and a Random have a place at which they are, and belong to one thread at a time. Callbacks that
// the library is given are called by the calling thread unless they say otherwise.
#pragma once

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/model_file.h"
#include "bisector/io/model_rows.h"
#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "bisector/version.h"
