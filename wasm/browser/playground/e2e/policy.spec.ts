import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { audit, complaints, open, show } from "./page";

const patience = { timeout: 90_000 }; // the first compilation starts the compiler

const editor = (page: Page) => page.getByRole("textbox", { name: "Policy" });
const problems = (page: Page) => page.getByRole("region", { name: "Problems" });
const passed = (page: Page, name: string) => page.getByText(`${name} passed the gate and its trial`);

/** Opens the view, with the example in it compiled. */
async function opened(page: Page) {
  await open(page);
  await show(page, "Policy");
  await expect(passed(page, "cheapest")).toBeVisible(patience);
}

/** Replaces the whole text, or what the example says in one place. */
async function write(page: Page, change: (text: string) => string) {
  const text = readFileSync("src/policy/examples/node-order.txt", "utf8");
  await editor(page).press("ControlOrMeta+a");
  await editor(page).press("Delete"); // what replaces a coloured text would get its look from the browser
  await editor(page).fill(change(text));
}

test("a policy is written, its error mended, checked, run against a lesson, and found again after a reload", async ({ page }) => {
  test.slow();
  const found = complaints(page);
  await opened(page);

  await write(page, (text) => text.replace("price.at(row)", "pric.at(row)"));
  const problem = problems(page).getByRole("button", { name: /Compiler.*pric/ });
  await expect(problem).toBeVisible(patience);
  await expect(problem).toContainText("line 32");
  await expect(page.getByRole("button", { name: "Run without and with it" })).toBeDisabled();
  await problem.click();
  await expect(editor(page)).toBeFocused();

  await write(page, (text) => text.replace('"cheapest"', '"fullest"'));
  await expect(passed(page, "fullest")).toBeVisible(patience);
  await expect(problems(page)).toContainText("No problems");
  await page.getByText("What the gate and the trial found").click();
  await expect(page.getByRole("cell", { name: "binpacking" })).toBeVisible();

  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("It meets the contract: 23 checks, none failed.")).toBeVisible(patience);

  await page.getByLabel("Workload").selectOption("first-steps");
  await page.getByRole("button", { name: "Run without and with it" }).click();
  await expect(page.getByRole("region", { name: "Figures of both runs" })).toBeVisible(patience);
  await expect(page.getByRole("heading", { name: "First difference" })).toBeVisible();
  await expect(page.getByText(/^with fullest, on .*asks went to another node/)).toBeVisible();

  for (const [item, name] of [["Save the source", "fullest.ts"], ["Save the module", "fullest.wasm"], ["Save the settings", "fullest.toml"]] as const) {
    await page.getByRole("button", { name: "File", exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: item }).click()]);
    expect(download.suggestedFilename()).toBe(name);
  }

  await page.waitForTimeout(1000); // what is written is kept when nothing changed for a moment
  await page.reload();
  await expect(editor(page)).toContainText("fullest", { timeout: 30_000 });
  await expect(passed(page, "fullest")).toBeVisible(patience);
  expect(found).toEqual([]);
});

test("a loop without an end is refused with its place, and the page goes on drawing", async ({ page }) => {
  test.slow();
  await opened(page);
  await write(page, (text) => text.replace(/frame\.answer\(row, 0, .*\);/, "while (price.at(row) >= 0) frame.answer(row, 0, share.at(row) * fill);"));
  const frames = page.evaluate(() => new Promise<number>((resolve) => {
    let seen = 0;
    const next = () => (++seen < 60 ? requestAnimationFrame(next) : resolve(seen));
    next();
  }));
  await expect(problems(page)).toContainText(/fuel.*A loop without an end/, patience);
  await expect(problems(page).getByRole("button", { name: /Trial/ })).toContainText(/line \d+/);
  expect(await frames).toBe(60);
});

/** Clicks a button in the moment in which the page shows it: the checks are over in a moment, too. */
function clickedAtOnce(page: Page, name: string) {
  return page.evaluate((text) => new Promise<void>((resolve) => {
    const watch = new MutationObserver(() => {
      const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === text);
      if (!button) return;
      watch.disconnect();
      button.click();
      resolve();
    });
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  }), name);
}

test("what is being compiled or checked can be cancelled", async ({ page }) => {
  test.slow();
  await open(page);
  await show(page, "Policy");
  await page.getByRole("button", { name: "Cancel" }).click(patience);
  await expect(page.getByText(/No verdict: it was cancelled/)).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(passed(page, "cheapest")).toBeVisible(patience);
  const stopped = clickedAtOnce(page, "Stop");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await stopped;
  await expect(page.getByText(/^Stopped after/)).toBeVisible();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("It meets the contract")).toBeVisible(patience);
});

test("a policy that remembers breaks the contract, in plain words", async ({ page }) => {
  test.slow();
  await opened(page);
  await write(page, (text) => text.replace(/frame\.answer\(row, 0, .*\);/, "frame.answer(row, 0, fill++ + 0 * price.at(row) * share.at(row));"));
  await expect(page.getByText("No problems")).toBeVisible(patience);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(problems(page)).toContainText("the same question gets the same answer: expected equal answers", patience);
});

test("the compiler is loaded with the editor, and not before", async ({ page }) => {
  test.slow();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await open(page);
  expect(asked.filter((path) => path.startsWith("/later/"))).toEqual([]);
  await show(page, "Policy");
  await expect(passed(page, "cheapest")).toBeVisible(patience);
  expect(asked).toContain("/later/policytest.wasm.gz");
  expect(asked).toContain("/later/binaryen.wasm.gz");
});

for (const theme of ["light", "dark"] as const) {
  test(`nothing serious is found beside a policy with an error, ${theme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: theme });
    await opened(page);
    await page.getByText("What the gate and the trial found").click();
    await audit(page, "a policy");
    await write(page, (text) => text.replace("price.at(row)", "pric.at(row)"));
    await expect(problems(page).getByRole("button", { name: /Compiler/ })).toBeVisible(patience);
    await audit(page, "a policy with an error");
  });
}

test("it fits a narrow screen", async ({ page }) => {
  test.slow();
  await page.setViewportSize({ width: 320, height: 700 });
  await opened(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
