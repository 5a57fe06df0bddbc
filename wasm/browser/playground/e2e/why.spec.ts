import { AxeBuilder } from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { expect, test, type Locator, type Page } from "@playwright/test";

import { still } from "./page";

/** An example of the documents as a link: opened at so many seconds. */
function example(name: string, seconds: number, config = name): string {
  const read = (file: string) => readFileSync(new URL(`../../../../docs/examples/${file}`, import.meta.url), "utf8");
  const scenario = { t: name, j: read(`${name}.jsonl`), c: read(`${config}.yaml`), g: 10, b: seconds };
  return `./#s=${deflateRawSync(JSON.stringify(scenario)).toString("base64url")}`;
}

function inspector(page: Page): Locator {
  return page.getByRole("region", { name: "Inspector" });
}

async function open(page: Page, link: string): Promise<Locator> {
  await page.goto(link);
  const panel = inspector(page);
  await expect(panel.getByText("Longest wait")).toBeVisible({ timeout: 30_000 });
  return panel;
}

/** Looks at a state of the inspector: audited, and kept as a picture where QUERN_SHOTS names a folder. */
async function look(page: Page, name: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include(".why").analyze();
  expect.soft(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
  const folder = process.env.QUERN_SHOTS;
  if (folder) await page.screenshot({ path: `${folder}/why-${name}.png` });
}

test("a pending ask is explained: what is missing, what the nodes say, whose turn it is", async ({ page }) => {
  const panel = await open(page, example("waiting", 11, "queues"));
  await look(page, "summary");
  await panel.getByRole("button", { name: "zoned" }).click();
  await expect(panel.getByRole("heading", { name: "zoned" })).toBeVisible();
  await expect(panel.getByText("It waits because no node can take it now.")).toBeVisible();
  await expect(panel.getByText("2 nodes: without an allowed value of zone")).toBeVisible();
  await expect(panel.getByRole("row", { name: "zone c a (1 node), b (1 node)" })).toBeVisible();
  await expect(panel.getByText("it may preempt others and may be preempted")).toBeVisible();
  await expect(panel.getByRole("row", { name: "root.prod 17 offset +10" })).toBeVisible();

  await panel.getByRole("button", { name: "store", exact: true }).click();
  await panel.getByRole("button", { name: "huge" }).click();
  await expect(panel.getByText("2 nodes: too little vcore even when empty")).toBeVisible();
  await panel.getByText("In the scheduler’s words").click();
  await expect(panel.getByText(/^Ask huge of application store waits in root\.prod, number 2 in the order\./)).toBeVisible();
});

test("a queue says what decides in it and why it takes no more; its links lead on", async ({ page }) => {
  const panel = await open(page, example("waiting", 11, "queues"));
  await panel.getByRole("button", { name: "zoned" }).click();
  await panel.getByRole("button", { name: "root", exact: true }).first().click();
  await panel.getByRole("button", { name: "research", exact: true }).click();
  await panel.getByRole("button", { name: "vision", exact: true }).click();
  await expect(panel.getByText("root.research.vision lacks 1 vcore.", { exact: true })).toBeVisible();
  await expect(panel.getByRole("row", { name: "Guaranteed 2 –" })).toBeInViewport({ ratio: 1 });
  await expect(panel.getByText("30s default")).toBeVisible();
  await expect(panel.getByText("stateaware: one application starts at a time, then as fifo set here")).toBeVisible();
  await look(page, "queue");

  await panel.getByRole("button", { name: "score" }).click();
  await expect(panel.getByText("root.research.vision runs 2 of at most 2 applications.")).toBeVisible();
  await expect(panel.getByText("number 2 of the 2 applications of its queue that wait")).toBeVisible();
  await look(page, "application");

  await panel.getByRole("button", { name: "root.research.vision", exact: true }).first().click();
  await panel.getByRole("button", { name: "train" }).click();
  await panel.getByRole("button", { name: "more" }).click();
  await expect(panel.getByRole("row", { name: /^vision 3 of 4 lacks 1$/ })).toBeVisible();
  await panel.getByRole("button", { name: "Which allocations would it preempt?" }).click();
  await expect(panel.getByText("for every resource type that it needs, the nearest of its queues with a guarantee has used it up, or none has one.")).toBeVisible();
  await look(page, "refusal");
  await panel.getByRole("button", { name: "Clear the selection" }).click();
  await expect(panel.getByText("Longest wait")).toBeVisible();
});

test("a dry run says who would have to leave, and is drawn on the grid until the cluster moves on", async ({ page }) => {
  const panel = await open(page, example("preempt", 70));
  await panel.getByRole("button", { name: "web-2" }).click();
  await look(page, "pending");
  await panel.getByRole("button", { name: "Which allocations would it preempt?" }).click();
  await expect(panel.getByText("once it has waited for its delay, in 20s")).toBeVisible();
  await expect(panel.getByText("old-1 and old-0 on n7: it is equal but older")).toBeVisible();
  const legend = page.getByRole("region", { name: "Nodes" }).getByText("2 allocations would have to leave");
  await expect(legend).toBeVisible();
  await panel.getByText("It would preempt.").scrollIntoViewIfNeeded();
  await look(page, "dry-run");
  await panel.getByRole("button", { name: "Clear from the grid" }).click();
  await expect(legend).toBeHidden();
  await panel.getByRole("button", { name: "Show on the grid" }).click();
  await expect(legend).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(panel.getByText("State at 1m10s. The cluster has changed since.")).toBeVisible();
  await expect(legend).toBeHidden();
  await panel.getByRole("button", { name: "Ask again" }).click();
  await expect(panel.getByText("It has preempted, and waits for its victims to leave.")).toBeVisible();
  await expect(legend).toBeVisible();
  await panel.getByRole("button", { name: "n8" }).first().click();
  await expect(panel.getByRole("heading", { name: "n8" })).toBeVisible();
  await expect(legend).toBeHidden();
  await look(page, "node");
});

test("a victim is explained: who it left for, and by which law", async ({ page }) => {
  const panel = await open(page, example("preempt", 95));
  await panel.getByRole("button", { name: "web-2" }).click();
  await expect(panel.getByText("It waits because its victims have yet to leave.")).toBeVisible();
  await panel.getByRole("button", { name: "young-1" }).first().click();
  await expect(panel.getByText("It has been told to leave for ask web-2, since the queue of web-2 is below its guarantee.")).toBeVisible();
  const drawing = panel.getByRole("figure");
  await expect(drawing).toContainText("only 4 of its guaranteed 8 vcore used (law 4)");
  await expect(drawing).toContainText("Guarantees nothing that it uses (law 5)");
  await expect(drawing).toContainText("1 is not above 5");
  await look(page, "victim");
});

test("a preemption in the stream leads to the same, and back to its moment", async ({ page }) => {
  const panel = await open(page, example("preempt", 95));
  await page.getByRole("button", { name: /young-1 told to leave n8 for web-2/ }).click();
  await expect(panel.getByRole("figure")).toContainText("Guarantees nothing that it uses (law 5)");
  await panel.getByRole("button", { name: "Go to this moment" }).click();
  await expect(panel.getByText("1m30s")).toBeVisible();
  await look(page, "decision");
});

test("an allocation is explained: why on this node, what ruled out the others, and what it waited for", async ({ page }) => {
  const panel = await open(page, example("preempt", 120));
  await page.keyboard.press("/");
  await page.keyboard.type("web-2");
  await page.keyboard.press("Enter");
  await expect(panel.getByText("It runs on node n8.")).toBeVisible();
  await expect(panel.getByText("n8 was kept for it: it had preempted there.")).toBeVisible();
  await expect(panel.getByText("It waited 40s: submitted at 1m, placed at 1m40s.")).toBeVisible();

  const questions = panel.getByRole("navigation", { name: "Questions about it" });
  await questions.getByRole("button", { name: "What did it wait for?" }).focus();
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("heading", { name: "How long it waited" })).toBeFocused();
  await expect(panel.getByRole("table", { name: "What it waited for, in order" }).getByRole("row")).not.toHaveCount(1);
  await look(page, "waited");
  await expect(panel.getByText("It runs on node n8.")).toBeVisible();
});

test("why an ask went to its node shows its scores in both themes and on a narrow page", async ({ page }) => {
  const panel = await open(page, example("waiting", 11, "queues"));
  await page.keyboard.press("/");
  await page.keyboard.type("train-2");
  await page.keyboard.press("Enter");
  await expect(panel.getByText(/^2 nodes would take it\. Policy fair takes the least used: /)).toBeVisible();
  const scores = panel.getByRole("table", { name: "The nodes in the order of policy fair (built-in)" });
  await expect(scores.getByRole("row", { name: /chosen/ })).toHaveCount(1);
  await expect(panel.getByText("1 node: draining")).toBeVisible();
  await expect(panel.getByText("Not at all: it was placed in the instant in which it was submitted, at 10s.")).toBeVisible();
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await still(page);
    await look(page, `here-${scheme}`);
  }
  await page.setViewportSize({ width: 320, height: 900 });
  await page.getByRole("tab", { name: "Inspector" }).click();
  await scores.scrollIntoViewIfNeeded();
  await look(page, "here-narrow");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
