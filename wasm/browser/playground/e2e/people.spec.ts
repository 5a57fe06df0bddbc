import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { audit, complaints, open, show, still, viewNames } from "./page";

const stream = (page: Page) => page.getByRole("region", { name: "Decisions" });
const shots = process.env.QUERN_SHOTS;

/** A picture for people to look at. */
async function shoot(page: Page, name: string) {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

for (const theme of ["light", "dark"] as const) {
  test(`a first visit shows what this is, a cluster that is full and moves, and one thing to do, ${theme}`, async ({ page }) => {
    const found = complaints(page);
    await page.emulateMedia({ colorScheme: theme });
    await page.goto("./");
    const what = page.getByRole("region", { name: "Introduction" });
    await expect(what).toContainText("Quern decides which job runs on which machine", { timeout: 30_000 });
    await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
    const decisions = page.getByTitle("Decisions so far");
    const before = await decisions.textContent();
    await expect(decisions).not.toHaveText(before ?? "");
    const root = await page.getByRole("treeitem", { name: /^root, / }).getAttribute("aria-label");
    const [, used, most] = /^root, ([\d.]+) (?:GiB memory|vcore) in use, max ([\d.]+)/.exec(root ?? "") ?? [];
    expect(Number(used) / Number(most), `full: ${root}`).toBeGreaterThan(0.85);
    await shoot(page, `first-${theme}`);
    await page.keyboard.press(" ");
    await audit(page, "a first visit");
    await what.getByRole("button", { name: "Take the 2-minute tour" }).click();
    await expect(page.getByRole("heading", { name: "A cluster", exact: true })).toBeVisible();
    await expect(what).toBeHidden();
    await expect(page).toHaveURL(/#lesson=first-steps$/);
    await page.goBack();
    await expect(what).toBeVisible();
    expect(found).toEqual([]);
  });
}

test("where motion is not wanted the first cluster stands still", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("./");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("region", { name: "Introduction" })).toBeVisible();
});

test("a lesson goes on with the playhead, and says which claims no longer hold", async ({ page }) => {
  await open(page, "#lesson=first-steps&step=3");
  const lesson = page.getByRole("region", { name: "First steps", exact: true });
  await expect(lesson.getByRole("heading", { name: "One ask has to wait" })).toBeVisible();
  await page.getByRole("combobox", { name: /^Speed/ }).selectOption("10×");
  const length = await page.evaluate(() => history.length);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(lesson.getByRole("heading", { name: "The guarantee is met" })).toBeVisible({ timeout: 20_000 });
  await expect(page).toHaveURL(/&step=7&ask=rush$/);
  expect(await page.evaluate(() => history.length)).toBe(length);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await lesson.getByRole("button", { name: "Step 6: An allocation has to leave" }).click();
  await expect(page).toHaveURL(/&step=6&/);
  await expect(lesson.getByRole("region", { name: "Not true now" })).toBeHidden();
  await page.getByRole("button", { name: "To the end" }).click();
  await lesson.getByRole("button", { name: "Step 7: The guarantee is met" }).click();
  await expect(page).toHaveURL(/&step=7&/);
  await page.goBack();
  await expect(lesson.getByRole("heading", { name: "An allocation has to leave" })).toBeVisible();
  await page.getByRole("button", { name: "Forward by one decision" }).click();
  await page.getByRole("button", { name: "Step by more" }).click();
  await page.getByRole("menuitem", { name: /^One instant/ }).click();
  const gone = lesson.getByRole("region", { name: "Not true now" });
  await expect(gone).toContainText(/No longer true at 3\ds/);
  await expect(gone).toContainText("rush waits");
  await shoot(page, "no-longer");
  await gone.getByRole("button", { name: "Back to this step" }).click();
  await expect(gone).toBeHidden();
});

test("the focus returns to where it came from", async ({ page }) => {
  await open(page);
  const add = page.getByRole("button", { name: "Add", exact: true }).first();
  await add.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(add).toBeFocused();

  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: /^Find/ }).fill("n2");
  await page.keyboard.press("Enter");
  await expect(add).toBeFocused();
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await expect(add).toBeFocused();

  const help = page.getByRole("button", { name: /^Help/ });
  await help.click();
  await page.keyboard.press("Escape");
  await expect(help).toBeFocused();

  await page.getByRole("button", { name: "Clear the selection" }).focus();
  await page.keyboard.press("Enter");
  await expect(help).toBeFocused();
  await page.getByRole("button", { name: "Close the lesson" }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test.describe("at 400 % zoom", () => {
  for (const [theme, height] of [["light", 256], ["dark", 568]] as const) {
    test(`every view reads without scrolling in two directions, ${theme}, ${height} high`, async ({ page }) => {
      test.slow();
      await page.setViewportSize({ width: 320, height });
      await page.emulateMedia({ colorScheme: theme });
      await open(page, "#lesson=first-steps&step=5");
      for (const name of viewNames) {
        await show(page, name);
        await still(page);
        expect.soft(await wide(page), name).toEqual([]);
        await shoot(page, `narrow-${name.toLowerCase()}-${theme}-${height}`);
      }
      await show(page, "Cluster");
      for (const panel of ["Lesson", "Queues", "Nodes", "Inspector", "Time", "Decisions"]) {
        await page.getByRole("tab", { name: panel }).click();
        expect.soft(await wide(page), panel).toEqual([]);
        await shoot(page, `narrow-panel-${panel.toLowerCase()}-${theme}-${height}`);
      }
      await page.getByRole("tab", { name: "Decisions" }).click();
      await expect(stream(page)).toBeVisible();
    });
  }
});

/** What scrolls sideways, or reaches out of the window. Tables and code may. */
function wide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const out: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>("body, body *")) {
      if (element.closest(".sr, .skip, svg, canvas, [hidden], .uplot, .cm-editor, table, .timelines-table, .grid-table") || !element.checkVisibility({ visibilityProperty: true })) continue;
      const style = getComputedStyle(element);
      const name = `${element.tagName}.${element.className}`;
      if (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1) out.push(`${name} scrolls sideways: ${element.scrollWidth} of ${element.clientWidth}`);
      const { left, right, width } = element.getBoundingClientRect();
      const hidden = style.clipPath !== "none" || element.parentElement === null || [...ancestors(element)].some((one) => getComputedStyle(one).overflowX !== "visible" || getComputedStyle(one).clipPath !== "none");
      if (!hidden && width > 0 && (right > innerWidth + 1 || left < -1)) out.push(`${name} reaches from ${left} to ${right}`);
    }
    return out;
    function* ancestors(element: Element) {
      for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) yield one;
    }
  });
}

test.describe("for fingers", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  test("targets are 44 pixels large", async ({ page }) => {
    test.slow();
    await open(page, "#lesson=first-steps&step=4");
    const small = () => page.evaluate(() => [...document.querySelectorAll<HTMLElement>("button, select, input, summary, [role=tab], [role=menuitem], [role=option], [role=treeitem], nav a, a.button")].flatMap((element) => {
      const inText = element.closest("p, dd, td, th, .why-facts, .why-list, .cm-editor, .lesson-steps, .sr, .skip") ?? element.closest(".why-pick, .tree-fold");
      if (inText || !element.checkVisibility({ visibilityProperty: true })) return [];
      const target = element.matches("[type=checkbox], [type=radio]") ? element.closest("label") ?? element : element;
      const { width, height } = target.getBoundingClientRect();
      return height >= 43.5 && (width >= 43.5) ? [] : [`${element.tagName}.${element.className} ${element.getAttribute("aria-label") ?? element.textContent.slice(0, 20)}: ${Math.round(width)}×${Math.round(height)}`];
    }));
    for (const panel of ["Lesson", "Queues", "Nodes", "Inspector", "Time", "Decisions"]) {
      await page.getByRole("tab", { name: panel }).tap();
      expect.soft(await small(), panel).toEqual([]);
    }
    await shoot(page, "touch-decisions");
    await page.getByRole("tab", { name: "Queues" }).tap();
    await page.getByRole("button", { name: "Add", exact: true }).tap();
    expect.soft(await small(), "menu").toEqual([]);
    await shoot(page, "touch-menu");
    await page.getByRole("menuitem", { name: /^An application/ }).tap();
    expect.soft(await small(), "form").toEqual([]);
    await shoot(page, "touch-form");
  });
});
