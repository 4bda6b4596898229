// Everything that reading models and data, predicting and explaining needs.
#pragma once

#include "bisector/data_reader.h"
#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/methods.h"
#include "bisector/model.h"
#include "bisector/model_file.h"
#include "bisector/model_rows.h"
#include "bisector/predict.h"
#include "bisector/version.h"
