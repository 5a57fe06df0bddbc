import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { complaints } from "./page";

const program = process.env.QUERN_PROGRAM ?? "../../../build/quern";
const site = process.env.QUERN_SITE ?? "../../../build/site";
const examples = "../../../docs/examples";

test.skip(!existsSync(program), `skipped, because ${program} is not there: make build`);

let server: ChildProcess | undefined;
test.afterEach(() => server?.kill("SIGINT"));

/** Starts quern playground on the built site, and gives the address that it prints. */
async function serve(...args: string[]): Promise<string> {
  const started = spawn(program, ["playground", "--no-open", "--listen", "127.0.0.1:0", "--dir", site, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  server = started;
  let said = "";
  for await (const piece of started.stdout) {
    said += String(piece);
    const address = /http:\/\/\S+/.exec(said)?.[0];
    if (address) return address;
  }
  throw new Error(`expected an address, found ${said}`);
}

test("quern playground serves the page with its policy, and ends when it is told to", async ({ page }) => {
  const found = complaints(page);
  await page.goto(await serve());
  await expect(page.getByRole("button", { name: /^(Play|Pause)$/ })).toBeVisible({ timeout: 30_000 });
  expect(found).toEqual([]);
  const ended = new Promise((done) => server?.once("exit", done));
  server?.kill("SIGINT");
  expect(await ended).toBe(0);
});

test("it opens with a journal and a configuration, and decides as the command line does", async ({ page }) => {
  await page.goto(await serve("--config", `${examples}/queues.yaml`, `${examples}/journal.jsonl`));
  await expect(page.getByText("journal.jsonl").first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: "To the end" }).click();
  const { stdout } = await promisify(execFile)(program, ["replay", "--until", "idle", "--out", "-", "--config", `${examples}/queues.yaml`, `${examples}/journal.jsonl`]);
  await expect(page.getByText(`${stdout.trimEnd().split("\n").length} decisions`)).toBeVisible();
});

test("an address that asks for what was not given says so, and opens the cluster of a first visit", async ({ page }) => {
  await page.goto(`${await serve()}#given`);
  await expect(page.getByText("the server has none (status 404)")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("A busy cluster").first()).toBeVisible();
});

test("the links of a report open its run in a playground, at the ask that they name", async ({ page, context }, testInfo) => {
  const address = await serve();
  const report = testInfo.outputPath("report.html");
  await promisify(execFile)(program, ["replay", "--until", "idle", "--report", report, "--playground", address, "--config", `${examples}/queues.yaml`, `${examples}/journal.jsonl`]);
  await page.goto(pathToFileURL(report).href);
  for (const [link, words] of [["Open this run in the playground", ""], ["ask eval-big in the playground", "Ask eval-big"]] as const) {
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: link }).first().click();
    const run = await opened;
    const found = complaints(run);
    await expect(run.getByRole("button", { name: /^(Play|Pause)$/ })).toBeVisible({ timeout: 30_000 });
    await expect(run.getByRole("treeitem", { name: /^vision,/ })).toBeVisible();
    if (words !== "") await expect(run.getByRole("region", { name: "Inspector" }).getByRole("heading", { level: 3 })).toContainText(words);
    expect(found).toEqual([]);
    await run.close();
  }
});
