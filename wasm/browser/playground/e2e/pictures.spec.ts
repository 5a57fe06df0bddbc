// The pictures of the documents: `make pictures` takes them, and a test compares the words in them with the pages of today.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { picture } from "./pictures";

const program = resolve(process.env.QUERN_PROGRAM ?? "../../../build/quern");

/** Goes to a step of a lesson and waits until all that it expects is so. */
async function step(page: Page, lesson: string, name: string): Promise<void> {
  await page.goto(`./#lesson=${lesson}`);
  await page.getByRole("button", { name }).click({ timeout: 30_000 });
  await expect(page.locator(".lesson-check").first()).toBeVisible();
  await expect(page.locator('.lesson-check:not([data-standing="met"])')).toHaveCount(0, { timeout: 60_000 });
}

test("the picture of the cluster is of today", async ({ page }) => {
  await step(page, "first-steps", "Step 6: An allocation has to leave");
  await picture(page, "playground-cluster");
});

test("the picture of a thousand nodes is of today", async ({ page }) => {
  test.slow();
  await page.emulateMedia({ colorScheme: "dark" });
  await step(page, "thousand", "Step 5: 20 minutes: the cluster is full");
  await picture(page, "playground-thousand");
});

test("the picture of a comparison is of today", async ({ page }) => {
  test.slow();
  await page.goto("./#/compare");
  for (const [side, order] of [["A", "fair"], ["B", "binpacking"]] as const) {
    const form = page.getByRole("group", { name: side, exact: true });
    await form.getByLabel("Applications in a queue").selectOption("unchanged");
    await form.getByLabel("Nodes for an ask").selectOption(order);
  }
  await page.getByRole("button", { name: "Compare A with B" }).click();
  const parting = page.getByRole("heading", { name: "First difference" });
  await expect(parting).toBeVisible({ timeout: 60_000 });
  await parting.evaluate((heading) => { heading.scrollIntoView({ block: "start", behavior: "instant" }); });
  await picture(page, "playground-compare");
});

for (const [name, colorScheme] of [["report", "light"], ["report-dark", "dark"]] as const) {
  test(`the picture of a day's ${name} is of today`, async ({ page }) => {
    test.skip(!existsSync(program), `skipped, because there is no ${program}: make build`);
    const folder = mkdtempSync(join(tmpdir(), "quern-pictures-"));
    execFileSync(program, ["demo", "--dir", "day"], { cwd: folder }); // the report names the folder
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 1280, height: 1500 });
    await page.goto(`file://${join(folder, "day", "report.html")}`);
    await expect(page.locator("html[data-ready=yes]")).toBeAttached();
    await withoutClock(page);
    await picture(page, name);
    rmSync(folder, { recursive: true });
  });
}

/** Takes out of a report what depends on the machine: how long the replay took. */
async function withoutClock(page: Page): Promise<void> {
  await page.evaluate(() => {
    const span = document.querySelector("#span");
    if (span) span.textContent = span.textContent.replace(/, replayed in [^,]*/, "");
  });
  await page.locator("#totals > div", { hasText: "allocations a second" }).evaluate((tile) => { tile.remove(); });
}
