import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { complaints, kept, open, show } from "./page";

const program = process.env.QUERN_PROGRAM ?? "../../../build/quern";
const site = process.env.QUERN_SITE ?? "../../../build/site";

test.use({ serviceWorkers: "allow" });

/** Waits until the page has found the time for what few visits need. */
async function keptWhole(page: Page) {
  await expect.poll(() => page.evaluate(async () => {
    const kept: string[] = [];
    for (const name of await caches.keys()) kept.push(...(await (await caches.open(name)).keys()).map(({ url }) => url));
    return ["binaryen", "policytest", "asc."].filter((file) => kept.some((url) => url.includes(`/later/${file}`)));
  }), { timeout: 90_000 }).toEqual(["binaryen", "policytest", "asc."]);
}

const patience = { timeout: 90_000 };

test("the page opens without a network after the first visit, with all its views", async ({ page, context }) => {
  test.slow();
  const found = complaints(page);
  await open(page);
  await kept(page);
  await keptWhole(page);
  await context.setOffline(true);
  await open(page, "?again=1#lesson=first-steps");
  await page.getByRole("button", { name: "To the end" }).click();

  await show(page, "Configure");
  await expect(page.getByRole("region", { name: "Problems" })).toContainText("No problems", patience);
  await show(page, "Compare");
  await page.getByRole("button", { name: "Compare A with B" }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("Compared with A, B", patience);
  await show(page, "Policy");
  await expect(page.getByText("cheapest passed the gate and its trial")).toBeVisible(patience);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText(/^It meets the contract: \d+ checks, none failed\.$/)).toBeVisible(patience);
  await show(page, "Scenarios");
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await expect(page.getByText(/passed/).first()).toBeVisible(patience);
  await show(page, "Learn");
  await expect(page.getByRole("heading", { name: "First steps" }).or(page.getByRole("link", { name: /First steps/ })).first()).toBeVisible();
  await show(page, "Cluster");
  await expect(page.getByRole("tree")).toBeVisible();
  expect(found).toEqual([]);
});

test.describe("a new version", () => {
  test.skip(!existsSync(program), `skipped, because ${program} is not there: make build`);
  let server: ChildProcess | undefined;
  test.afterEach(() => server?.kill("SIGINT"));

  async function serve(folder: string, port: string): Promise<string> {
    const started = spawn(program, ["playground", "--no-open", "--listen", `127.0.0.1:${port}`, "--dir", folder], { stdio: ["ignore", "pipe", "inherit"] });
    server = started;
    for await (const piece of started.stdout) {
      const address = /http:\/\/\S+/.exec(String(piece))?.[0];
      if (address) return address;
    }
    throw new Error("expected an address");
  }

  test("is told of, and loaded on request", async ({ page }, testInfo) => {
    const folder = testInfo.outputPath("site");
    cpSync(site, folder, { recursive: true });
    const address = await serve(folder, "0");
    await page.goto(address);
    await kept(page);
    await expect(page.getByText("A new version of the playground is available.")).toBeHidden();

    const ended = new Promise((done) => server?.once("exit", done));
    server?.kill("SIGINT");
    await ended;
    rename(folder, "A newer playground");
    await serve(folder, new URL(address).port);
    await page.reload();
    await expect(page.getByText("A new version of the playground is available.")).toBeVisible({ timeout: 30_000 });
    expect(await page.evaluate(() => document.querySelector("meta[name=description]")?.getAttribute("content"))).not.toBe("A newer playground");
    await page.getByRole("button", { name: "Load it" }).click();
    await page.waitForFunction(() => document.querySelector("meta[name=description]")?.getAttribute("content") === "A newer playground", undefined, { timeout: 30_000 });
    rmSync(folder, { recursive: true });
  });
});

/** Makes another version of a built site: with another description in its page, and the list of its files brought up to date. */
function rename(folder: string, description: string) {
  const page = readFileSync(`${folder}/index.html`, "utf8").replace(/(name="description" content=")[^"]*/, `$1${description}`);
  writeFileSync(`${folder}/index.html`, page);
  const hash = createHash("sha256").update(page).digest("hex").slice(0, 24);
  const script = readFileSync(`${folder}/offline.js`, "utf8");
  writeFileSync(`${folder}/offline.js`, script.replace(/("index\.html":")[0-9a-f]*/, `$1${hash}`));
}
