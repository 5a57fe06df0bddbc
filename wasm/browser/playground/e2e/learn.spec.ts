import { expect, test, type Page } from "@playwright/test";

import { presets } from "../src/learn/presets";

/** Waits until every expectation of the step is met. */
async function allMet(page: Page, where: string): Promise<void> {
  await expect(page.locator(".lesson-check").first(), where).toBeVisible();
  await expect(page.locator('.lesson-check:not([data-standing="met"])'), where).toHaveCount(0, { timeout: 20_000 });
}

const ready = (page: Page) => expect(page.locator(".lesson-foot")).toBeVisible({ timeout: 30_000 });

test("the tour of a first visit is the first lesson, and it takes seven steps to see a preemption", async ({ page }) => {
  await page.goto("./");
  await page.getByRole("button", { name: /^Take the \d+-minute tour$/ }).click({ timeout: 30_000 });
  await ready(page);
  const lesson = page.getByRole("region", { name: "First steps" });
  await expect(lesson.getByRole("heading", { name: "A cluster" })).toBeVisible();
  for (const heading of ["An application asks", "One ask has to wait", "The cluster fills up", "A queue claims its guarantee", "An allocation has to leave", "The guarantee is met"]) {
    await lesson.getByRole("button", { name: "Next", exact: true }).click();
    await expect(lesson.getByRole("heading", { name: heading })).toBeVisible();
    await allMet(page, heading);
  }
  await expect(lesson.getByRole("button", { name: "Next lesson" })).toBeVisible();
});

test("every lesson opens from the overview, and all that it claims is so", async ({ page }) => {
  test.setTimeout(600_000);
  await page.goto("./#/learn");
  for (const { title, steps, name } of presets) {
    await page.getByRole("link", { name: "Learn" }).click();
    await page.locator(`.lessons-card[href="#lesson=${name}"]`).click();
    const lesson = page.getByRole("region", { name: title, exact: true });
    for (const [i, step] of steps.entries()) {
      await expect(lesson.getByRole("heading", { name: step.title, exact: true, level: 3 })).toBeVisible({ timeout: 30_000 });
      await allMet(page, `${name}: ${step.title}`);
      if (i < steps.length - 1) await lesson.getByRole("button", { name: "Next", exact: true }).click();
    }
  }
  await page.getByRole("link", { name: "Learn" }).click();
  await expect(page.getByText(`${presets.length} of ${presets.length} finished`)).toBeVisible();
  await page.reload();
  await page.goto("./#/learn");
  await expect(page.getByText(`${presets.length} of ${presets.length} finished`)).toBeVisible();
});

test("a link opens a lesson", async ({ page }) => {
  await page.goto("./#lesson=law-4");
  await ready(page);
  await expect(page.getByRole("region", { name: "Law 4" })).toBeVisible();
  await allMet(page, "law-4");
});

test("what was not reached is to come, and one can go back to the step", async ({ page }) => {
  await page.goto("./#lesson=stateaware");
  await ready(page);
  await page.getByRole("button", { name: "Step 3: Five minutes" }).click();
  await allMet(page, "at five minutes");
  await page.getByRole("button", { name: "Step 6: Both start at once" }).click();
  await allMet(page, "at the end");
  await page.getByRole("button", { name: "Step 3: Five minutes" }).click();
  await allMet(page, "back at five minutes");
  await page.getByRole("button", { name: "To the start" }).click();
  await expect(page.locator('.lesson-check[data-standing="to come"]')).toHaveCount(4);
  await page.getByRole("button", { name: "Back to this step" }).click();
  await allMet(page, "at five minutes again");
});

test("a lesson by keyboard alone", async ({ page }) => {
  await page.goto("./#lesson=law-1");
  await ready(page);
  const lesson = page.getByRole("region", { name: "Law 1" });
  for (let i = 0; i < 80 && !(await lesson.getByRole("button", { name: "Next", exact: true }).evaluate((b) => b === document.activeElement)); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(lesson.getByRole("heading", { name: "It is spared" })).toBeVisible();
  await allMet(page, "It is spared");
  await page.keyboard.press("Enter");
  await expect(lesson.getByRole("heading", { name: "It is preempted when nothing else is enough" })).toBeVisible();
  await allMet(page, "the last step");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(lesson.getByRole("heading", { name: "It is spared" })).toBeVisible();
});

test("the panel closes, and the lesson opens again from the overview", async ({ page }) => {
  await page.goto("./#lesson=fifo");
  await ready(page);
  await page.getByRole("button", { name: "Close the lesson" }).click();
  await expect(page.locator(".lesson")).toHaveCount(0);
  await page.getByRole("link", { name: "Learn" }).click();
  await page.locator('.lessons-card[href="#lesson=fifo"]').click();
  await expect(page.getByRole("region", { name: "First in, first out" })).toBeVisible();
});
