import { expect, test, type Page } from "@playwright/test";
import { complaints } from "../page";
import { needsProgram, smallCluster } from "./host";
import { openAt, show } from "./page";

needsProgram();

const small = smallCluster();
const open = (page: Page, fragment = "") => openAt(page, small.host, fragment);

test("every view shows what the host has, and the browser has nothing against the page", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  const main = page.getByRole("main");
  await expect(main.getByRole("region", { name: "Cluster", exact: true })).toContainText("3 of 10");
  await expect(main).toContainText("1 pending, 2 allocated");
  await expect(main.locator(".waiting")).toContainText(/wide has waited .*root\.prod lacks 1 vcore/);
  const attention = main.getByRole("region", { name: "Needs attention" });
  await attention.getByRole("link", { name: "1 node of 2 is drained: no ask is placed there." }).click();
  await expect(main.locator(".listing tbody tr")).toHaveCount(1);
  await expect(main.getByRole("row", { name: /n2 drained/ })).toBeVisible();

  await show(page, "Queues");
  await expect(main.getByRole("treeitem", { name: /^prod, 2 vcore in use, guaranteed 2, max 4/ })).toContainText("1 pending");
  await main.getByRole("treeitem", { name: /^prod/ }).click();
  await expect(main.locator(".why")).toContainText("An allocation has to end in that queue, or its max has to be raised.");

  await show(page, "Applications");
  await expect(main.getByRole("row", { name: /web Starting/ })).toContainText("ann");
  await main.getByRole("link", { name: "train" }).click();
  await expect(main.locator(".why-headline")).toContainText("Nothing is pending.");

  await show(page, "Asks");
  await expect(main.getByRole("row")).toHaveCount(2); // the head, and the one that waits
  await main.getByLabel("State").selectOption("All");
  await expect(main.getByRole("row", { name: /front allocated/ })).toContainText("n1");

  await show(page, "Nodes");
  await expect(main.getByRole("row", { name: /n2 drained/ })).toBeVisible();
  await main.getByRole("link", { name: "n1" }).click();
  await expect(main.locator(".why").getByRole("row", { name: /epoch/ })).toBeVisible();

  await show(page, "Decisions");
  await expect(main.getByRole("button", { name: /front placed on n1/ })).toBeVisible();

  await show(page, "Time line");
  await expect(main.getByText("Pending asks", { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(main.getByText(/^The last 5,000 decisions show allocations from \d\d:\d\d:\d\d on\./)).toBeVisible({ timeout: 15_000 });
  await main.getByRole("button", { name: "Show as table" }).click();
  const [, ...rows] = await main.getByRole("row").allInnerTexts();
  expect(rows[0]).toContain("–"); // use is not known of the time before
  expect(rows.at(-1)).toMatch(/30%.*1 ask.*2/s);
  expect(found.filter((one) => !one.includes("404"))).toEqual([]);
});

test("an ask that waits is explained, and a dry run says who would have to leave", async ({ page }) => {
  await open(page, "#/asks/wide");
  const why = page.locator(".why");
  await expect(why.locator(".why-headline")).toHaveText("It waits because root.prod lacks 1 vcore.");
  await expect(why).toContainText("Headroom along its path");
  await expect(why).toContainText("it may preempt others and may be preempted");
  await expect(why.getByRole("table", { name: /^The nodes in the order of policy fair/ }).getByRole("row", { name: /^n1 yes .*% used/ })).toBeVisible();
  await why.getByRole("button", { name: "Which allocations would it preempt?" }).click();
  await expect(why.locator(".why-verdict")).toHaveText(/^It may not preempt|^It cannot preempt|^It may preempt/);
});

test("an ask that no node takes is explained: wanted and present attributes, a required node that does not exist, reservations", async ({ page }) => {
  const { host } = small;
  await host.send({ type: "ask.add", id: "zoned", app: "train", resources: { vcore: 1 }, constraints: { zone: ["b"] } }, { type: "ask.add", id: "lost", app: "train", resources: { vcore: 1 }, node: "n9" });
  const why = page.locator(".why");
  await open(page, "#/asks/zoned");
  await expect(why.getByRole("row", { name: "zone b a (1 node), no value (1 node)" })).toBeVisible();
  await open(page, "#/asks/lost");
  await expect(why).toContainText("It requires node n9, which does not exist.");
  await host.send({ type: "ask.remove", id: "zoned" }, { type: "ask.remove", id: "lost" });
});

test("an allocation is explained: why on its node, and in the host's words as well", async ({ page }) => {
  await open(page, "#/asks/front");
  const why = page.locator(".why");
  await expect(why.locator(".why-headline")).toHaveText("It runs on node n1.");
  await expect(why.locator(".why-verdict")).toHaveText("n1 was the only node that would take it.");
  await expect(why.getByRole("table", { name: /^The nodes in the order of policy fair/ }).getByRole("row", { name: /^n1 chosen yes/ })).toBeVisible();
  await why.getByText("In the scheduler’s words").click();
  await expect(why.locator("pre")).toContainText("Node n1 was the only one that would take it.");
  const folder = process.env.QUERN_SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/dashboard-here.png` });
});

test("a decision appears without a reload, and can be paused and filtered", async ({ page }) => {
  await open(page, "#/decisions");
  const main = page.getByRole("main");
  await small.host.send({ type: "node.add", id: "late", capacity: { vcore: 1 } });
  await expect(main.getByRole("button", { name: /late joined the cluster/ })).toBeVisible();
  await main.getByRole("button", { name: "Pause" }).click();
  await small.host.send({ type: "node.remove", id: "late" }, { type: "node.add", id: "later", capacity: { vcore: 1 } });
  await expect(main.getByText(/Paused: [1-9]\d* new decision/)).toBeVisible();
  await expect(main.getByRole("button", { name: /later joined the cluster/ })).toHaveCount(0);
  await main.getByRole("button", { name: "Continue" }).click();
  await expect(main.getByRole("button", { name: /later joined the cluster/ })).toBeVisible();
  await main.getByLabel("Only about").fill("later");
  await expect(main.locator(".stream-row")).toHaveCount(1);
  await main.locator(".stream-pick").click();
  await expect(main.locator(".why-headline")).toHaveText("later joined the cluster.");
  await small.host.send({ type: "node.remove", id: "later" });
});

test("the questions under the headline lead to their answers, and the title names what is picked", async ({ page }) => {
  await open(page, "#/asks/wide");
  await expect(page).toHaveTitle("wide · Asks · Quern dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Asks: wide");
  const questions = page.getByRole("navigation", { name: "Questions about it" });
  await questions.getByRole("button", { name: "When is its turn?" }).click();
  await expect(page.getByRole("heading", { name: "Its turn" })).toBeFocused();
  await questions.getByRole("button", { name: "Which allocations would it preempt?" }).click();
  await expect(page.getByRole("heading", { name: "Which allocations it would preempt" })).toBeFocused();
  await expect(page.locator(".why-trial .why-verdict")).toBeVisible();
  await page.getByRole("button", { name: "Clear the selection" }).click();
  await expect(page).toHaveTitle("Asks · Quern dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Asks");
});

test("the inspector has the size that was chosen, also after a reload", async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await open(page, "#/nodes/n1");
  const separator = page.getByRole("separator", { name: "Between the list and the inspector" });
  const inspector = page.locator("#pane-detail");
  const width = () => inspector.evaluate((element) => element.clientWidth);
  const before = await width();
  await separator.focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await expect.poll(width).toBeGreaterThan(before + 100);
  const [box, larger] = [await separator.boundingBox(), await width()];
  if (!box) throw new Error("the separator has no box");
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x - 60, box.y + 200, { steps: 3 });
  await page.mouse.up();
  await expect.poll(width).toBeGreaterThan(larger + 40);
  const chosen = await width();
  await page.reload();
  await expect.poll(width).toBe(chosen);
  await separator.dblclick();
  await expect.poll(width).toBe(before);
  await page.setViewportSize({ width: 800, height: 900 });
  await expect(separator).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(800);
});

test("what if from here opens the cluster as it is in the playground, and changes nothing here", async ({ page, context }) => {
  test.slow();
  await open(page);
  const opens = context.waitForEvent("page");
  await page.getByRole("button", { name: "What if from here" }).click();
  const playground = await opens;
  await expect(playground.getByRole("button", { name: "Play", exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(playground.locator(".header-brand")).toContainText("as it was at");
  await expect(playground.getByRole("treeitem", { name: /^prod, 2 vcore in use, guaranteed 2, max 4/ })).toBeVisible();
  await expect(playground.getByRole("treeitem", { name: /^web, .*1 allocated, 1 pending/ })).toBeVisible();
  const { items } = await (await fetch(`${small.host.address}v1/nodes`)).json() as { items: unknown[] };
  expect(items).toHaveLength(2);
});
