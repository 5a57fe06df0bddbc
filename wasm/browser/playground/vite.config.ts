import { defineConfig } from "vitest/config";

// Reports of the tests for machines go to the folder that this names.
const reports = process.env.QUERN_REPORTS;

// One folder of files that any server, or a file of an object store, can hand out: all paths are relative. The modules
// (core.wasm.gz, features.wasm.gz) are put beside it by `make site`; in the development server they come from public/.
export default defineConfig({
  base: "./",
  build: {
    outDir: process.env.QUERN_SITE ?? "../site/dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
  },
  // The development server hands out the examples of docs/ as well, which the page begins with.
  server: { fs: { allow: ["../../.."] } },
  worker: { format: "es" },
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    testTimeout: 30_000,
    reporters: reports ? ["default", ["junit", { outputFile: `${reports}/junit-page.xml` }]] : ["default"],
  },
});
