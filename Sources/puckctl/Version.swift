/// This program's version. (semver.org)
let version = "0.1.0"
