// A real number with 2048 bits (MPFR): enough for the exact square of a distance between doubles
// that are 200 decades apart, and for its exponent to hundreds of digits behind the point.
#pragma once

#include <mpfr.h>

#include <utility>

namespace bisector::oracle {

class Real {
 public:
  Real(double value = 0.0) : Real(Uninitialized{}) { mpfr_set_d(value_, value, MPFR_RNDN); }
  Real(const Real& other) : Real(Uninitialized{}) { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  Real& operator+=(const Real& other) { return set(mpfr_add, other); }
  Real& operator-=(const Real& other) { return set(mpfr_sub, other); }
  Real& operator*=(const Real& other) { return set(mpfr_mul, other); }
  Real& operator/=(const Real& other) { return set(mpfr_div, other); }
  friend Real operator+(Real a, const Real& b) { return a += b; }
  friend Real operator-(Real a, const Real& b) { return a -= b; }
  friend Real operator*(Real a, const Real& b) { return a *= b; }
  friend Real operator/(Real a, const Real& b) { return a /= b; }
  friend bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.value_, b.value_); }

  friend Real abs(Real a) { return a.set(mpfr_abs); }
  friend Real exp(Real a) { return a.set(mpfr_exp); }
  friend Real log(Real a) { return a.set(mpfr_log); }
  friend Real sqrt(Real a) { return a.set(mpfr_sqrt); }

  int sign() const { return mpfr_sgn(value_); }
  /// Rounded to the nearest; beyond the range of doubles infinite or zero.
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  struct Uninitialized {};
  explicit Real(Uninitialized) { mpfr_init2(value_, 2048); }
  Real& set(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), const Real& other) {
    function(value_, value_, other.value_, MPFR_RNDN);
    return *this;
  }
  Real& set(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
    function(value_, value_, MPFR_RNDN);
    return *this;
  }

  mpfr_t value_;
};

inline Real max(const Real& a, const Real& b) { return a < b ? b : a; }
inline Real min(const Real& a, const Real& b) { return b < a ? b : a; }

}  // namespace bisector::oracle
