/// This program's version, told by `--version`, in `hello` and in `status`. (semver.org)
let version = "0.1.0"
