import { expect, test, type Page } from "@playwright/test";
import { complaints, open } from "./page";

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

/** What can be touched and is not whole on the screen from left to right, or lies over its neighbour. */
function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>(".header a, .header button, .cluster-sections [role=tab], .transport button, .transport select, .transport input, .lesson-foot button")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => ({ name: one.getAttribute("aria-label") ?? one.innerText, box: one.getBoundingClientRect() }));
    const out = shown.filter(({ box }) => box.left < -0.5 || box.right > innerWidth + 0.5).map(({ name }) => `${name} is not on the screen`);
    const over = shown.flatMap((a, i) => shown.slice(i + 1).filter(({ box }) => Math.min(a.box.right, box.right) - Math.max(a.box.left, box.left) > 1 && Math.min(a.box.bottom, box.bottom) - Math.max(a.box.top, box.top) > 1)
      .map((b) => `${a.name} and ${b.name} overlap`));
    return [...out, ...over];
  });
}

for (const [width, theme] of [[390, "light"], [360, "dark"]] as const) {
  test(`the tour shows its lesson at ${width} pixels, ${theme}`, async ({ page }, testInfo) => {
    const found = complaints(page);
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.goto("./");
    await page.getByRole("button", { name: /^Take the .* tour$/ }).tap();
    const lesson = page.getByRole("region", { name: "First steps" });
    await expect(lesson.getByRole("heading", { name: "A cluster" })).toBeVisible();
    await expect(page.getByRole("tab", { name: "Lesson" })).toHaveAttribute("aria-selected", "true");
    expect(await misplaced(page)).toEqual([]);
    await page.screenshot({ path: testInfo.outputPath("tour.png") });
    // A lesson that is open stays where the user left it, and another one shows.
    await page.getByRole("tab", { name: "Nodes" }).tap();
    await expect(lesson).toBeHidden();
    await page.getByRole("link", { name: "Learn", exact: true }).tap();
    await page.getByRole("link", { name: /^Headroom/ }).tap();
    await expect(page.getByRole("region", { name: /^Headroom/ })).toBeVisible();
    expect(found).toEqual([]);
  });
}

test("what is found by its ID is shown", async ({ page }) => {
  await open(page, "#lesson=first-steps&step=4");
  await page.getByRole("combobox", { name: /^Find a queue/ }).fill("root.services");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Inspector" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("Queue root.services").first()).toBeVisible();
});
