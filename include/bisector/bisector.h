// Everything that reading models and data, predicting and explaining needs.
//
// Threads. Functions may be called from any number of threads at once. Several threads may share a
// model, a DecisionFunction, an Explainer, ExactShapleyValues, a DensityEstimate or plain data, as
// long as no thread assigns to it, moves it or destroys it. Const member functions have no visible
// side effects, and the results are the same, bit for bit, whatever other threads do. A DataReader,
// a ReportBuilder and a Random change with each call, so only one thread at a time may use them.
// Callbacks run in the thread that called the library, unless their documentation says
// otherwise.
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
