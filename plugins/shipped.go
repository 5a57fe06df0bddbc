package plugins

import "embed"

// Shipped holds the module that the demonstration tries beside what decides by default, as it was built, with its
// settings: small enough to be committed, so that a machine without a compiler for it has it, too.
//
//go:embed binpack-tetris/binpack-tetris.wasm binpack-tetris/binpack-tetris.toml
var Shipped embed.FS
