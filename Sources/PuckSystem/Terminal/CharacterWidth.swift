import CLinux
import Glibc

/// Returns the number of cells in which a terminal shows a character: 2 for wide ones; 0 or less if it has no width of
/// its own. See wcwidth(3).
public func terminalColumns(of scalar: Unicode.Scalar) -> Int {
    // Most text is ASCII.
    if scalar.value < 0x7F { return scalar.value < 0x20 ? -1 : 1 }
    _ = knowsUnicode
    return Int(wcwidth(wchar_t(bitPattern: scalar.value)))
}

/// wcwidth(3) knows only the characters of the locale. Each Debian has "C.UTF-8".
private let knowsUnicode = setlocale(LC_CTYPE, "C.UTF-8") != nil
