import { expect, test } from "@playwright/test";
import { Host, needsProgram } from "./host";
import { openAt, show } from "./page";

needsProgram();

const [parents, leaves, nodes, apps, asks] = [10, 100, 5000, 1000, 100_000];

let host: Host;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  host = await Host.start();
  const tree = Array.from({ length: parents }, (_, p) => `          - name: team${p}\n            queues:\n${Array.from({ length: leaves }, (_, l) => `              - name: q${l}\n`).join("")}`).join("");
  const lines = [JSON.stringify({ type: "config.set", config: `partitions:\n  - name: default\n    queues:\n      - name: root\n        queues:\n${tree}` })];
  for (let i = 0; i < nodes; i++) lines.push(`{"type":"node.add","id":"node-${i}","capacity":{"vcore":16,"memory":"64Gi"}}`);
  for (let i = 0; i < apps; i++) lines.push(`{"type":"app.add","id":"app-${i}","queue":"root.team${Math.floor(i / leaves) % parents}.q${i % leaves}"}`);
  for (let i = 0; i < asks; i++) lines.push(`{"type":"ask.add","id":"ask-${i}","app":"app-${i % apps}","resources":{"vcore":1,"memory":"1Gi"}}`);
  for (let from = 0; from < lines.length; from += 20_000) await host.sendLines(lines.slice(from, from + 20_000).join("\n"));
});
test.afterAll(() => host.stop());

test("1,000 queues, 5,000 nodes and 100,000 asks are paged through, and the page keeps little of them", async ({ page }) => {
  test.setTimeout(180_000);
  await openAt(page, host);
  const main = page.getByRole("main");
  await expect(main).toContainText("20,000 pending, 80,000 allocated", { timeout: 60_000 });

  await show(page, "Queues");
  await main.getByLabel("Only with").fill("team7.q42");
  await main.getByRole("treeitem", { name: /^q42/ }).click();
  await expect(main.locator(".why")).toContainText("Use by type", { timeout: 30_000 });

  await show(page, "Asks");
  await expect(main.locator(".listing tbody tr")).toHaveCount(100, { timeout: 30_000 });
  const first = await main.locator(".listing tbody th").first().textContent();
  await main.getByRole("button", { name: "Next" }).click();
  await expect(main.getByText("Page 2, 100 asks")).toBeVisible({ timeout: 30_000 });
  expect(await main.locator(".listing tbody th").first().textContent()).not.toBe(first);
  await main.locator(".listing tbody th a").first().click();
  await expect(main.locator(".why-headline")).toContainText("It waits because", { timeout: 30_000 });

  await show(page, "Nodes");
  await expect(main.locator(".listing tbody tr")).toHaveCount(100, { timeout: 30_000 });

  // Decisions come on while one looks at them.
  await show(page, "Decisions");
  const removed = Array.from({ length: 2000 }, (_, i) => `{"type":"allocation.release","id":"ask-${i}"}`).join("\n");
  await host.sendLines(removed);
  await expect(main.getByRole("button", { name: /placed on node-/ }).first()).toBeVisible({ timeout: 30_000 });
  const kept = await page.evaluate(() => ({
    elements: document.querySelectorAll("*").length,
    heap: (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
  }));
  expect(kept.elements).toBeLessThan(3000);
  expect(kept.heap).toBeLessThan(100 << 20);
  // A press is answered while all of this goes on.
  const begun = Date.now();
  await show(page, "Applications");
  await expect(main.locator(".listing tbody tr")).toHaveCount(100, { timeout: 30_000 });
  test.info().annotations.push({ type: "figures", description: `${kept.elements} elements, ${kept.heap >> 20} MiB, applications after ${Date.now() - begun} ms` });
});
