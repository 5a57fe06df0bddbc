import { expect, test, type Page } from "@playwright/test";
import { complaints, open } from "./page";

const nodes = (page: Page) => page.getByRole("region", { name: "Nodes", exact: true }).first();
const stream = (page: Page) => page.getByRole("region", { name: "Decisions" });
const charts = (page: Page) => page.getByRole("region", { name: "Over time", exact: true });
const time = (page: Page) => page.getByRole("region", { name: "Time", exact: true });
const inspector = (page: Page) => page.getByRole("region", { name: "Inspector" });

async function toTheEnd(page: Page) {
  await page.keyboard.press("End");
  await expect(time(page).getByRole("timer")).toHaveText("20:40.0");
}

/** Plays on by so many instants of the lesson that the page opens with: 1 s, 5 s, 7 s, 10 s, … */
async function instants(page: Page, count: number) {
  for (let i = 0; i < count; i++) {
    const before = await time(page).getByRole("timer").textContent();
    await page.keyboard.press("Shift+ArrowRight");
    await expect(time(page).getByRole("timer")).not.toHaveText(before ?? "");
  }
}

/** The number of different colours on the canvas. */
function coloursOf(page: Page): Promise<number> {
  return nodes(page).locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: new Uint8ClampedArray() };
    return new Set(new Uint32Array(data.buffer)).size;
  });
}

test("the grid draws the nodes, and says the same as a table", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  const empty = await coloursOf(page);
  await instants(page, 4);
  await expect.poll(() => coloursOf(page)).toBeGreaterThan(empty);
  await nodes(page).getByRole("button", { name: "Show as table" }).click();
  const rows = nodes(page).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toHaveText("NodeFullvcorememoryAllocationsState");
  const used = await rows.getByRole("cell").filter({ hasText: /^\d+ of 8$/ }).allTextContents();
  expect(used.map(parseFloat).reduce((a, b) => a + b)).toBe(23);
  await rows.getByRole("button", { name: "n2" }).click();
  await expect(inspector(page)).toContainText("n2");
  expect(found).toEqual([]);
});

test("the keyboard goes from node to node, and what has the focus is read out", async ({ page }) => {
  await open(page);
  await instants(page, 4);
  const tiles = nodes(page).getByRole("application", { name: "Nodes as tiles" });
  await tiles.focus();
  await expect(nodes(page)).toContainText("n1, node 1 of 3.");
  await page.keyboard.press("ArrowRight");
  await expect(nodes(page)).toContainText(/n2, node 2 of 3\. \d+% full: \d of 8 vcore/);
  await page.keyboard.press("End");
  await expect(nodes(page)).toContainText("n3, node 3 of 3.");
  await page.keyboard.press("Enter");
  await expect(inspector(page).getByRole("heading", { name: "n3" })).toBeVisible();
});

test("a pointer on the grid tells of an allocation, and a click picks it", async ({ page }) => {
  await open(page);
  await instants(page, 1);
  const canvas = nodes(page).locator("canvas");
  const box = await canvas.boundingBox();
  if (!box) throw new Error("the grid has no canvas");
  const low = { x: 60, y: box.height - 12 };
  await canvas.hover({ position: low });
  await expect(page.locator(".grid-tip")).toContainText("shop-1");
  await canvas.click({ position: low });
  await expect(inspector(page)).toContainText("shop-1");
  await canvas.click({ position: { x: 60, y: 12 } });
  await expect(inspector(page).getByRole("heading", { name: "n1" })).toBeVisible();
  await nodes(page).getByRole("button", { name: /^shop/ }).click();
  await expect(inspector(page).getByRole("heading", { name: "shop" })).toBeVisible();
});

test("the stream says what was decided, is filtered, and leads to any moment", async ({ page }) => {
  await open(page);
  await toTheEnd(page);
  await expect(stream(page)).toContainText("train is now Completed");
  await stream(page).getByRole("button", { name: "Preemption" }).click();
  const leaves = stream(page).getByRole("button", { name: /told to leave/ });
  await expect(leaves).toHaveCount(1);
  await expect(leaves).toContainText("train-5 told to leave");
  await leaves.click();
  await expect(leaves).toHaveAttribute("aria-pressed", "true");
  await stream(page).getByRole("listitem").filter({ hasText: "told to leave" }).getByRole("button", { name: /^Go to the moment/ }).click();
  await expect(time(page).getByRole("timer")).toHaveText("0:30.0");
  await expect(nodes(page)).toContainText("Told to leave");

  await stream(page).getByRole("button", { name: "Preemption" }).click();
  await stream(page).getByRole("button", { name: /^Only about/ }).click();
  await toTheEnd(page); // where the lesson picks what its step is about
  await expect(stream(page).getByRole("listitem").first()).toContainText("train-5 placed");
});

test("the stream follows the newest decision until somebody scrolls up", async ({ page }) => {
  await open(page);
  await toTheEnd(page);
  const last = stream(page).getByRole("listitem").filter({ hasText: "train is now Completed" });
  await expect(last).toBeInViewport();
  await expect(stream(page).getByRole("button", { name: "Newest" })).toBeHidden();
  await stream(page).getByRole("button", { name: /train is now Completed/ }).focus();
  await page.keyboard.press("Home");
  await expect(stream(page).getByRole("button", { name: /New configuration in force/ })).toBeFocused();
  await stream(page).getByRole("button", { name: "Newest" }).click();
  await expect(last).toBeInViewport();
});

/** The stream is at its end: the newest decision is in sight, as many as there are by now. */
async function atNewest(page: Page) {
  await expect(stream(page).getByRole("button", { name: "Newest" })).toBeHidden();
  const rows = stream(page).getByRole("listitem");
  await expect.poll(() => rows.last().evaluate((row) => row.getAttribute("aria-posinset") === row.getAttribute("aria-setsize"))).toBe(true);
  await expect(rows.last()).toBeInViewport();
}

test("the stream follows again after travel in time, while it plays, and in another scenario", async ({ page }) => {
  await open(page);
  await toTheEnd(page);
  const rows = stream(page).getByRole("listitem");
  for (const where of ["Home", "End", "Home"]) {
    await page.keyboard.press(where);
    await expect(time(page).getByRole("timer")).toHaveText(where === "Home" ? "0:00.0" : "20:40.0");
    await atNewest(page);
  }
  await toTheEnd(page);
  await rows.last().hover();
  await page.mouse.wheel(0, -5000);
  await expect(stream(page).getByRole("button", { name: "Newest" })).toBeVisible();
  const early = rows.filter({ hasText: "shop-1 placed" }).first();
  await early.hover();
  await early.getByRole("button", { name: /^Go to the moment/ }).click();
  await expect(time(page).getByRole("timer")).toHaveText("0:01.0");
  await atNewest(page);

  await time(page).getByRole("button", { name: "To the end" }).click(); // by key it would be the end of the list
  await expect(time(page).getByRole("timer")).toHaveText("20:40.0");
  await atNewest(page);
  await rows.last().hover();
  await page.mouse.wheel(0, -5000);
  await expect(stream(page).getByRole("button", { name: "Newest" })).toBeVisible();
  await page.evaluate(() => { location.hash = "lesson=fair-queues"; });
  await expect(page.getByRole("heading", { name: "Fair between queues", level: 2 })).toBeVisible();
  await page.keyboard.press(" ");
  await atNewest(page);
  await page.keyboard.press(" ");
  await page.keyboard.press("End");
  await atNewest(page);
});

test("earlier decisions than the page keeps come a page at a time, and the rows that are read stay", async ({ page }) => {
  await open(page, "#lesson=thousand");
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(time(page).getByRole("button", { name: "Play", exact: true })).toBeVisible({ timeout: 60_000 });
  await atNewest(page);
  const rows = stream(page).getByRole("listitem");
  await expect(rows.last()).toHaveAttribute("aria-setsize", "2000");
  await rows.last().hover();
  await page.mouse.wheel(0, -100_000);
  await expect(rows.first()).toHaveAttribute("aria-posinset", "1");
  const words = await rows.first().textContent();
  await stream(page).getByRole("button", { name: "Show 2,000 earlier decisions" }).click();
  await expect(rows.first()).toHaveAttribute("aria-setsize", "4000");
  await expect(rows.filter({ hasText: words ?? "" }).first()).toBeInViewport();
});

test("time goes on, back, and to any place", async ({ page }) => {
  await open(page);
  const position = time(page);
  await expect(position).toContainText("4 decisions");
  await expect(position).toContainText("14 inputs ahead");
  await position.getByRole("button", { name: "Forward by one decision" }).click();
  await expect(position).toContainText("5 decisions");
  await position.getByRole("button", { name: "Back by one decision" }).click();
  await expect(position).toContainText("4 decisions");
  await position.getByRole("button", { name: "Forward by one decision" }).click();
  await position.getByRole("button", { name: "Step by more" }).click();
  await page.getByRole("menuitem", { name: "One instant" }).click();
  await expect(position.getByRole("timer")).toHaveText("0:01.0");

  await position.getByRole("button", { name: "To the end" }).click();
  await expect(position.getByRole("timer")).toHaveText("20:40.0");
  const moment = position.getByRole("slider", { name: "Moment" });
  await expect(moment).toHaveAttribute("aria-valuetext", "20m40s of 20m40s; 1 preemption is marked");
  await moment.focus();
  await page.keyboard.press("Home");
  await expect(position.getByRole("timer")).toHaveText("0:00.0");
  await expect(charts(page).getByRole("figure", { name: /^In use, now: vcore 0%/ })).toBeVisible();

  await position.getByRole("combobox", { name: /^Speed/ }).selectOption({ label: "60×" });
  await position.getByRole("button", { name: "Play" }).click();
  await expect(nodes(page)).toContainText("shop");
  await position.getByRole("button", { name: "Pause" }).click();
  await expect(position.getByRole("button", { name: "Play" })).toBeVisible();
});

test("inputs that lie ahead can be forgotten", async ({ page }) => {
  await open(page);
  await instants(page, 2);
  await time(page).getByRole("button", { name: /inputs ahead/ }).click();
  await page.getByRole("menuitem", { name: "Forget them" }).click();
  await expect(time(page)).not.toContainText("ahead");
  await page.keyboard.press("End");
  await expect(stream(page)).not.toContainText("train-1");
});

test("the charts say their values, and a click travels", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  await toTheEnd(page);
  await expect(charts(page).getByRole("figure", { name: "Pending asks, now: 0 asks" })).toBeVisible();
  const plot = charts(page).locator(".u-over").first();
  const box = await plot.boundingBox();
  if (!box) throw new Error("the chart has no room");
  await plot.click({ position: { x: box.width / 2, y: box.height / 2 } });
  await expect(time(page).getByRole("timer")).toHaveText(/^10:1\d|^10:2\d/);
  await charts(page).getByRole("button", { name: "Show as table" }).click();
  await expect(charts(page).getByRole("columnheader", { name: "In use: vcore" })).toBeVisible();
  expect(found).toEqual([]);
});

test("the type that is shown is the same on the grid and in the tree", async ({ page }) => {
  await open(page);
  await instants(page, 4);
  await page.getByRole("combobox", { name: "Resource type that is shown" }).selectOption("memory");
  await expect(page.getByRole("treeitem", { name: /^root/ }).first()).toContainText("GiB");
});

test("a dry run is drawn on the grid, with words for its marks, until it is cleared", async ({ page }) => {
  await open(page);
  await instants(page, 5);
  await page.getByPlaceholder("Find by ID").fill("rush");
  await page.keyboard.press("Enter");
  await expect(inspector(page).getByRole("heading", { name: "rush" })).toBeVisible();
  const plain = await coloursOf(page);
  await inspector(page).getByRole("button", { name: "Which allocations would it preempt?" }).click();
  await expect(nodes(page)).toContainText("Dry run: n3 would take it");
  await expect(nodes(page)).toContainText("1 allocation would have to leave");
  await expect.poll(() => coloursOf(page)).not.toBe(plain);
  await inspector(page).getByRole("button", { name: "Clear" }).first().click();
  await expect(nodes(page)).not.toContainText("Dry run");
});

test("a queue's row has what it uses, has and may have first, and the small print only while it is selected", async ({ page }) => {
  await open(page, "#lesson=first-steps&step=4");
  const services = page.getByRole("treeitem", { name: /^services,/ });
  await expect(services.locator(".tree-amount")).toHaveText(["4 vcore", "8", "24"]);
  await expect(services.getByRole("img", { name: "4 vcore in use, guaranteed 8" })).toBeVisible();
  await expect(services).not.toContainText("offset");
  await services.click();
  await expect(services).toContainText("offset +10");
  await expect(services).toContainText("headroom");
  await page.keyboard.press("Escape");
  await expect(services).not.toContainText("headroom");
  await page.getByRole("button", { name: "Details of every queue" }).click();
  await expect(page.getByRole("treeitem", { name: /^root,/ })).toContainText("headroom");
  const edges = await page.locator(".tree-amount:last-child, .tree-head span:last-child").evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().right)));
  expect(new Set(edges).size, "the columns stand below their heads").toBe(1);
});

test("decisions have two lines and a column of times, and the filters say how many there are of each kind", async ({ page }) => {
  await open(page);
  await toTheEnd(page);
  const last = stream(page).getByRole("listitem").last();
  await expect(last.locator("time")).toHaveText("20:40.000");
  await expect(last.locator(".stream-words > *")).toHaveText(["train is now Completed", "no ask arrived for 30 seconds"]);
  const ends = await stream(page).locator("time").evaluateAll((times) => times.map((one) => Math.round(one.getBoundingClientRect().right)));
  expect(new Set(ends).size).toBe(1);
  const kinds = stream(page).getByRole("group", { name: /^Kinds of decisions/ });
  await expect(kinds.getByRole("button", { name: "Placed 11" })).toBeVisible();
  await kinds.getByRole("button", { name: "Preemption 1" }).click();
  await expect(stream(page).getByRole("listitem")).toHaveCount(1);
  await expect(kinds.getByRole("button", { name: "Placed 11" })).toBeVisible();
});
