import { defineConfig } from "@playwright/test";

// Reports for machines go to the folder that this names.
const reports = process.env.QUERN_REPORTS;

/** Tests that take times or watch frames and memory: beside others they would measure those. */
const measuring = /(speed|engine|end|many-queues|hostile-cluster|long-play|claims|large)\.spec\.ts$/;

// The built site, as a user meets it: QUERN_SITE names its folder, e2e/serve.mjs serves it with the headers that
// `quern playground` sends.
export default defineConfig({
  testDir: "e2e",
  outputDir: "../../../build/playground-results",
  fullyParallel: false,
  workers: 2,
  // One project after the other. With --no-deps, files of the second can be run alone.
  projects: [
    { name: "page", testIgnore: measuring },
    { name: "measuring", testMatch: measuring, dependencies: ["page"], workers: 1 },
  ],
  retries: process.env.CI ? 1 : 0, // a shared machine may be late once; what passed at the second try is told as flaky
  // Far more than any test needs on a machine that does nothing else: only a failure takes as long.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: reports ? [["list"], ["junit", { outputFile: `${reports}/junit-browser.xml` }]] : [["list"]],
  use: {
    baseURL: `http://127.0.0.1:${process.env.QUERN_PORT ?? "4173"}/`,
    serviceWorkers: "block", // offline.spec.ts has them: elsewhere each page would fetch the site twice
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env.QUERN_CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync"],
    },
  },
  webServer: {
    command: "node e2e/serve.mjs",
    url: `http://127.0.0.1:${process.env.QUERN_PORT ?? "4173"}/`,
    reuseExistingServer: false,
  },
});
