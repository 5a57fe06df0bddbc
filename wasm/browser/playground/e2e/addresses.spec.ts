import { expect, test, type Page } from "@playwright/test";
import { addNode, complaints, open, show } from "./page";

const inspector = (page: Page) => page.getByRole("region", { name: "Inspector" });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true, level: 3 });

test("what is selected is in the address, and Back and Forward go through it", async ({ page }) => {
  const found = complaints(page);
  await open(page, "#lesson=first-steps&step=4");
  await expect(heading(page, "The cluster fills up")).toBeVisible();
  await expect(page).toHaveURL(/#lesson=first-steps&step=4&queue=root.research.vision$/);
  await page.getByRole("treeitem", { name: /^train,/ }).click();
  await expect(page).toHaveURL(/&step=4&app=train$/);
  await page.locator(".stream-pick").last().click();
  await expect(page).toHaveURL(/&step=4&decision=\d+$/);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/&step=4$/);
  await page.goBack();
  await expect(inspector(page)).toContainText(/Decision \d+/);
  await page.goBack();
  await expect(inspector(page).getByRole("heading", { name: /Application train/ })).toBeVisible();
  await page.goForward();
  await expect(inspector(page)).toContainText(/Decision \d+/);
  expect(found).toEqual([]);
});

for (const [what, id, words] of [["ask", "index-3", "Ask index-3"], ["app", "shop", "Application shop"], ["node", "n2", "Node n2"], ["queue", "root.services", "Queue root.services"], ["decision", "2", "Decision 2"]] as const) {
  test(`a link names a ${what}`, async ({ page }) => {
    await open(page, `#lesson=first-steps&step=3&${what}=${id}`);
    await expect(inspector(page).getByRole("heading", { level: 3 })).toContainText(words);
    await expect(heading(page, "One ask has to wait")).toBeVisible();
  });
}

test("a lesson keeps its step in the address, and Back returns to the moment of the step before", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page).toHaveURL(/#lesson=first-steps&step=2&app=shop$/);
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page).toHaveURL(/&step=3&ask=index-3$/);
  await page.goBack();
  await expect(heading(page, "An application asks")).toBeVisible();
  await expect(page.getByRole("slider", { name: "Moment" })).toHaveAttribute("aria-valuetext", /^1s of/);
  await page.goForward();
  await expect(heading(page, "One ask has to wait")).toBeVisible();
  await page.reload();
  await expect(heading(page, "One ask has to wait")).toBeVisible({ timeout: 30_000 });
  await expect(inspector(page)).toContainText("index-3");
});

test("Back from another lesson brings back the first one as it was", async ({ page }) => {
  await open(page, "#lesson=first-steps&step=4");
  await expect(heading(page, "The cluster fills up")).toBeVisible();
  await show(page, "Learn");
  await page.locator('.lessons-card[href="#lesson=fifo"]').click();
  await expect(page.getByRole("region", { name: "First in, first out" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/#\/learn$/);
  await page.goBack();
  await expect(heading(page, "The cluster fills up")).toBeVisible();
  await expect(page.getByRole("slider", { name: "Moment" })).toHaveAttribute("aria-valuetext", /^10s of/);
});

test("Back while a scenario opens returns from it, and does not leave the page", async ({ page }) => {
  const found = complaints(page);
  await page.goto("./");
  const tour = page.getByRole("button", { name: /^Take the/ });
  await expect(tour).toBeVisible({ timeout: 30_000 });
  await tour.evaluate(async (button: HTMLButtonElement) => {
    button.click();
    await new Promise((done) => { setTimeout(done); });
    history.back();
  });
  await expect(page.getByRole("slider", { name: "Moment" })).toBeVisible();
  await expect(tour).toBeVisible();
  await expect(page).toHaveTitle(/A busy cluster/);
  await tour.click();
  await expect(heading(page, "A cluster")).toBeVisible();
  await page.goBack();
  await expect(tour).toBeVisible();
  expect(found).toEqual([]);
});

test("a run to the end leaves the user's own selection as it is", async ({ page }) => {
  await open(page, "#lesson=first-steps&step=4");
  await page.getByRole("treeitem", { name: /^shop,/ }).click();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page.getByRole("slider", { name: "Moment" })).toHaveAttribute("aria-valuetext", /^20m40s of/);
  await expect(page).toHaveURL(/&app=shop$/);
});

test("an address that names what does not exist says so, with a way out", async ({ page }) => {
  const alert = page.getByRole("alert");
  await open(page, "#lesson=nothing-like-it");
  await expect(alert.getByText("There is no lesson named “nothing-like-it”.")).toBeVisible();
  await alert.getByRole("link", { name: "Show all lessons" }).click();
  await expect(page.getByRole("heading", { name: "Lessons" })).toBeVisible();

  await page.goto("./#lesson=fifo&step=99");
  await expect(alert.getByText(/The lesson “First in, first out” has \d+ steps, and the address names another one/)).toBeVisible();
  await page.goto("./#/nowhere");
  await expect(alert.getByText("There is no view named “nowhere”. This is the cluster.")).toBeVisible();

  await page.goto("./#lesson=first-steps&ask=no-such-ask");
  await expect(inspector(page)).toContainText("There is no ask no-such-ask at 0s.");
  await inspector(page).getByRole("button", { name: "Find another" }).click();
  await expect(page.getByRole("combobox", { name: /Find/ })).toBeFocused();

  await page.goto("./#lesson=first-steps&decision=9999");
  await expect(alert.getByText(/There is no decision “9999”: the last one is number \d+/)).toBeVisible();
  await alert.getByRole("button", { name: "Select the last decision" }).click();
  await expect(inspector(page)).toContainText(/Decision \d+/);
});

test("an address may name what comes later, and says when", async ({ page }) => {
  await open(page, "#lesson=first-steps&ask=rush");
  await expect(inspector(page)).toContainText("There is no ask rush at 0s.");
  await inspector(page).getByRole("button", { name: "Go to 20s, when it is submitted" }).click();
  await expect(inspector(page).getByRole("heading", { name: "Ask rush" })).toBeVisible();
  await expect(page.getByRole("slider", { name: "Moment" })).toHaveAttribute("aria-valuetext", /^20s of/);
  await page.goto("./#lesson=first-steps&ask=train-4");
  await expect(inspector(page)).toContainText("Allocation train-4");
});

test("the tab and the headings name the view, what runs and the selection", async ({ page }) => {
  await open(page);
  await expect(page).toHaveTitle("Cluster · First steps · Quern playground");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Cluster: First steps");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await expect(page).toHaveTitle("shop · Cluster · First steps · Quern playground");
  for (const name of ["Configure", "Compare", "Scenarios", "Learn"] as const) {
    await show(page, name);
    await expect(page).toHaveTitle(new RegExp(`^${name} · First steps · Quern playground$`));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(new RegExp(`^${name}`));
  }
});

test("the ticks of the scrubber mark preemptions and changes of the configuration, and it stays in place", async ({ page }) => {
  await open(page);
  const before = await page.getByRole("slider", { name: "Moment" }).boundingBox();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page.locator(".transport-preemptions")).toHaveAttribute("data-count", "1");
  await expect(page.getByRole("slider", { name: "Moment" })).toHaveAttribute("aria-valuetext", /; 1 preemption is marked$/);
  await addNode(page, "extra");
  expect(await page.getByRole("slider", { name: "Moment" }).boundingBox()).toEqual(before);
  await page.getByRole("button", { name: "To the start" }).click();
  await page.getByRole("button", { name: "Step by more" }).click();
  await page.getByRole("menuitem", { name: /^The next preemption/ }).click();
  await expect(page.getByRole("slider", { name: "Moment" })).toHaveAttribute("aria-valuetext", /^30s of/);
});
