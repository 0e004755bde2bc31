import CLibm

// The few functions of libm that the pipeline needs, by their usual names.

func sin(_ x: Double) -> Double { clibm_sin(x) }
func cos(_ x: Double) -> Double { clibm_cos(x) }
func tan(_ x: Double) -> Double { clibm_tan(x) }
func asin(_ x: Double) -> Double { clibm_asin(x) }
func acos(_ x: Double) -> Double { clibm_acos(x) }
func atan(_ x: Double) -> Double { clibm_atan(x) }
func atan2(_ y: Double, _ x: Double) -> Double { clibm_atan2(y, x) }
func sinh(_ x: Double) -> Double { clibm_sinh(x) }
func cosh(_ x: Double) -> Double { clibm_cosh(x) }
func tanh(_ x: Double) -> Double { clibm_tanh(x) }
func asinh(_ x: Double) -> Double { clibm_asinh(x) }
func exp(_ x: Double) -> Double { clibm_exp(x) }
func exp2(_ x: Double) -> Double { clibm_exp2(x) }
func log(_ x: Double) -> Double { clibm_log(x) }
func log2(_ x: Double) -> Double { clibm_log2(x) }
func pow(_ x: Double, _ y: Double) -> Double { clibm_pow(x, y) }
func hypot(_ x: Double, _ y: Double) -> Double { clibm_hypot(x, y) }

func radians(_ degrees: Double) -> Double { degrees * (.pi / 180) }
func degrees(_ radians: Double) -> Double { radians * (180 / .pi) }
