import { expect, test, type Page } from "@playwright/test";
import { hostileFiles, hostileModules, type HostileFile } from "./hostile-files";
import { complaints, dropFile, open, show } from "./page";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const decisions = (page: Page) => page.getByTitle("Decisions so far");
/** What the first lesson has decided by its start. */
const start = "4 decisions";

/** Drops a file, and waits until the page has said what it should. */
async function answered(page: Page, file: HostileFile) {
  await dropFile(page, file.name, file.content);
  if (file.module) {
    const card = page.getByRole("article", { name: `Module ${file.name.replace(/\.wasm$/, "")}` });
    await expect(card.getByRole("status")).not.toHaveText("Trying…", { timeout: 30_000 });
    await expect(card, file.name).toContainText(file.said);
    if (!file.said.source.startsWith("^Passed")) await expect(card.locator("dd, p").last(), `${file.name} without a reason`).not.toBeEmpty();
  } else {
    await expect(page.getByRole("alert"), file.name).toContainText(file.said, { timeout: 30_000 });
  }
}

/** Whether what ran before is as it was, and plays on within two seconds. */
async function goesOn(page: Page, after: string) {
  if (!page.url().endsWith("#/cluster")) await show(page, "Cluster");
  await expect(page.getByRole("banner"), after).toContainText("First steps");
  expect(await decisions(page).textContent(), after).toBe(start);
  await button(page, "Play").click({ timeout: 2000 });
  await expect(button(page, "Pause"), after).toBeVisible({ timeout: 2000 });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await button(page, "Pause").click();
  await button(page, "To the start").click();
  await expect(decisions(page), after).toHaveText(start);
  const dismiss = page.getByRole("button", { name: "Dismiss" });
  while (await dismiss.count() > 0) await dismiss.first().click();
}

test("hostile files are refused in words, and what ran before goes on", async ({ page }) => {
  test.setTimeout(120_000);
  const found = complaints(page);
  await open(page);
  await button(page, "To the start").click();
  for (const file of hostileFiles()) {
    await test.step(file.name, async () => {
      await answered(page, file);
      await goesOn(page, file.name);
    });
  }
  expect(found).toEqual([]);
});

test("hostile modules are judged, and what ran before goes on", async ({ page }) => {
  test.setTimeout(120_000);
  const modules = hostileModules();
  test.skip(modules.length === 0, "there is no corpus of hostile modules: TestHostileCorpus writes it");
  const found = complaints(page);
  await open(page);
  await button(page, "To the start").click();
  for (const module of modules) {
    await test.step(module.kind, async () => {
      await answered(page, module);
      await goesOn(page, module.kind);
    });
  }
  expect(found).toEqual([]);
});
