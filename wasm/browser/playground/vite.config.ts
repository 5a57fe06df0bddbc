import { basename, dirname } from "node:path";
import { defineConfig } from "vitest/config";
import { compilerInPage } from "./compiler-in-page.ts";

// Reports of the tests for machines go to the folder that this names.
const reports = process.env.QUERN_REPORTS;

// The host that the dashboard of the development server shows.
const host = process.env.QUERN_HOST ?? "http://127.0.0.1:9080";

interface Chunk {
  readonly name: string;
  readonly facadeModuleId?: string | null;
}

/** The name of a script: with its folder, since several folders have a workbench or a worker. */
const nameOf = ({ name, facadeModuleId }: Chunk): string => {
  const folder = facadeModuleId ? basename(dirname(facadeModuleId)) : "";
  return folder === "" || folder === "src" || folder === "playground" ? name : `${folder}-${name}`;
};

// The names of files stay when the files change: the built pages are committed, and git stores a change of a file as a small
// difference. What serves them lets browsers ask whether a file has changed.
const named = { entryFileNames: "assets/[name].js", chunkFileNames: (chunk: Chunk) => `assets/${nameOf(chunk)}.js`, assetFileNames: "assets/[name][extname]" };

// Two pages are made of the same parts, each into a folder of its own: the playground, and with --mode dashboard the dashboard of
// a live scheduler. One folder of files that any server, or a file of an object store, can hand out: all paths are relative. The
// modules (core.wasm.gz, features.wasm.gz) are put beside the playground by `make site`; in the development server they come from public/.
export default defineConfig(({ mode }) => ({
  base: "./",
  build: {
    outDir: process.env.QUERN_SITE ?? (mode === "dashboard" ? "../../../build/dashboard" : "../../../build/page"),
    copyPublicDir: mode !== "dashboard", // the folder may have modules of the development server; tasks.sh copies the icon
    emptyOutDir: true,
    rolldownOptions: mode === "dashboard" ? { input: "dashboard.html", output: named } : {
      input: { index: "index.html", offline: "src/offline/worker.ts" },
      // The service worker has to stand above all that it keeps.
      output: { ...named, entryFileNames: ({ name }) => (name === "offline" ? "offline.js" : `assets/${name}.js`) },
    },
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
  },
  // The development server hands out the examples of docs/ as well, which the playground begins with; the dashboard asks a host that runs.
  server: { fs: { allow: ["../../.."] }, proxy: mode === "dashboard" ? { "/v1": host, "/keys.json": host, "/playground": host } : undefined },
  worker: {
    format: "es",
    plugins: () => [compilerInPage()],
    // Scripts of the compiler of policies are fetched when it is first used: the service worker keeps what is below later/ only then.
    rolldownOptions: { output: { entryFileNames: (chunk: Chunk) => `assets/${nameOf(chunk)}.js`, chunkFileNames: "later/[name].js" } },
  },
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    testTimeout: 30_000,
    reporters: reports ? ["default", ["junit", { outputFile: `${reports}/junit-page.xml` }]] : ["default"],
  },
}));
