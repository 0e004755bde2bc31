import PuckCore

extension PuckConfiguration {
    /// Parses a configuration file. Settings that are not in the file have the values in `defaults`. `file` is the
    /// file's name, for errors. Throws all errors in the file together.
    public static func parse(
        _ bytes: [UInt8], file: String, defaults: PuckConfiguration = PuckConfiguration()
    ) throws(ConfigurationErrors) -> PuckConfiguration {
        var parser = ConfigurationParser(file: file, defaults: defaults)
        parser.read(IniFile(bytes))
        guard parser.errors.isEmpty else {
            throw ConfigurationErrors(errors: parser.errors.sorted { $0.line < $1.line })
        }
        return parser.configuration
    }

    /// Parses a configuration from a string. See `parse(_:file:defaults:)`.
    public static func parse(
        text: String, file: String, defaults: PuckConfiguration = PuckConfiguration()
    ) throws(ConfigurationErrors) -> PuckConfiguration {
        try parse(Array(text.utf8), file: file, defaults: defaults)
    }
}

/// Applies the settings of a file one at a time, and collects errors.
struct ConfigurationParser {
    private(set) var configuration: PuckConfiguration
    private(set) var errors: [ConfigurationError] = []
    private let file: String
    /// The first line of each key, by section and key.
    private var seen: [[String]: Int] = [:]
    private var hasRules = false

    init(file: String, defaults: PuckConfiguration) {
        self.file = file
        configuration = defaults
        configuration.policy.file = file
    }

    mutating func read(_ ini: IniFile) {
        for (line, problem) in ini.problems { report(line, problem) }
        for orphan in ini.orphans { report(orphan.line, .outsideSection(key: orphan.key)) }
        for section in ini.sections {
            if let key = PurposeSection.key(of: section.name) {
                readPurpose(key, section)
            } else if section.name == "policy" {
                readPolicy(section)
            } else if let keys = Schema.sections.first(where: { $0.name == section.name })?.keys {
                for setting in section.settings { read(setting, in: section, keys) }
            } else {
                let known = Schema.sections.map(\.name) + ["policy", PurposeSection.form]
                report(
                    section.line,
                    .unknownSection(name: section.name, nearest: similarName(to: section.name, among: known)))
            }
        }
        checkTogether()
    }

    private mutating func read(_ setting: IniFile.Setting, in section: IniFile.Section, _ keys: [Key]) {
        guard let key = keys.first(where: { $0.name == setting.key }) else {
            return reportUnknown(setting, in: section, keys.map(\.name))
        }
        guard isFirst(setting, in: section) else { return }
        if !key.set(&configuration, setting.value) {
            report(
                setting.line,
                .badValue(
                    section: section.name, key: setting.key, value: setting.value, expected: key.expected,
                    example: key.example))
        }
    }

    private mutating func readPolicy(_ section: IniFile.Section) {
        for setting in section.settings {
            guard setting.key == "rule" else {
                reportUnknown(setting, in: section, ["rule"])
                continue
            }
            // The first rule in a file replaces all default rules.
            if !hasRules { configuration.policy.rules = [] }
            hasRules = true
            if let rule = NamedPolicy.Rule(setting.value, line: setting.line) {
                configuration.policy.rules.append(rule)
            } else {
                report(
                    setting.line,
                    .badValue(
                        section: section.name, key: setting.key, value: setting.value,
                        expected: NamedPolicy.Rule.expected, example: NamedPolicy.Rule.example))
            }
        }
    }

    private mutating func readPurpose(_ key: String, _ section: IniFile.Section) {
        var purpose = PurposeSection(key: key)
        guard PurposeSection.isKey(key) else {
            return report(section.line, .badPurposeKey(key))
        }
        for setting in section.settings {
            guard let field = PurposeSection.Field(rawValue: setting.key) else {
                reportUnknown(setting, in: section, PurposeSection.Field.allCases.map(\.rawValue))
                continue
            }
            guard isFirst(setting, in: section) else { continue }
            if !purpose.set(field, setting.value) {
                report(
                    setting.line,
                    .badValue(
                        section: section.name, key: setting.key, value: setting.value, expected: field.expected,
                        example: field.example))
            }
        }
        for field in PurposeSection.Field.allCases where seen[[section.name, field.rawValue]] == nil {
            report(section.line, .missingKey(section: section.name, key: field.rawValue, example: field.example))
        }
        if let complete = purpose.complete { configuration.policy.purposes.append(complete) }
    }

    /// Checks values that depend on each other.
    private mutating func checkTogether() {
        let freshness = configuration.receiver.freshness
        let line = seen[["receiver", "forget-after"]] ?? seen[["receiver", "predict-for"]]
        if let line, freshness.loseAfter < freshness.predictFor {
            report(
                line,
                .conflict(
                    section: "receiver", key: "forget-after",
                    reason: "expected no less than predict-for, which is \(freshness.predictFor) s"))
        }
    }

    private mutating func isFirst(_ setting: IniFile.Setting, in section: IniFile.Section) -> Bool {
        let place = [section.name, setting.key]
        guard let first = seen[place] else {
            seen[place] = setting.line
            return true
        }
        report(setting.line, .duplicateKey(section: section.name, key: setting.key, firstLine: first))
        return false
    }

    private mutating func reportUnknown(
        _ setting: IniFile.Setting, in section: IniFile.Section, _ known: [String]
    ) {
        report(
            setting.line,
            .unknownKey(section: section.name, key: setting.key, nearest: similarName(to: setting.key, among: known)))
    }

    private mutating func report(_ line: Int, _ problem: ConfigurationError.Problem) {
        errors.append(ConfigurationError(file: file, line: line, problem: problem))
    }
}
