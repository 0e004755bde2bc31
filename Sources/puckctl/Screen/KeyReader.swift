/// Takes keys out of a terminal's bytes. Sequences of function and arrow keys, mouse reports and pasted text of other
/// characters are no keys here, and are skipped as a whole.
struct KeyReader: Sendable {
    private enum State {
        case text
        /// After the escape character.
        case escape
        /// In a control sequence, which ends with a byte from 0x40 to 0x7E. (ECMA-48)
        case sequence
    }
    private var state = State.text

    /// Reads bytes and returns the keys: printable ASCII characters and the tab.
    mutating func read(_ bytes: [UInt8]) -> [Character] {
        bytes.compactMap { byte in
            switch state {
            case .text:
                if byte == 0x1B { state = .escape }
                return (0x20...0x7E).contains(byte) || byte == 0x09 ? Character(Unicode.Scalar(byte)) : nil
            case .escape:
                // “[” begins a control sequence. “O” precedes one character of a keypad.
                state = byte == 0x5B || byte == 0x4F ? .sequence : .text
                return nil
            case .sequence:
                if (0x40...0x7E).contains(byte) { state = .text }
                return nil
            }
        }
    }
}
