import { expect, test, type Page } from "@playwright/test";
import { open, still } from "./page";

// Figures are printed, and judged four times as loosely as they are meant: the machine that runs this has other things to do.
const loosely = 4;
const wanted = { 1000: 2000, 20_000: 10_000 };

for (const count of [1000, 20_000] as const) {
  test(`${String(count)} queues open, with progress, and only those in sight are drawn`, async ({ page }) => {
    test.setTimeout(120_000);
    await open(page);
    const { took, progress } = await openQueues(page, count);
    process.stdout.write(`${String(count)} queues open: ${took.toFixed(0)} ms, ${progress} seen\n`);
    expect(took).toBeLessThan(loosely * wanted[count]);
    expect(progress).toBe("progress");
    await still(page);
    const tree = page.getByRole("tree", { name: "Queues and applications" });
    expect(await tree.getByRole("treeitem").count()).toBeLessThan(100);

    await tree.getByRole("treeitem").first().focus();
    await page.keyboard.press("End");
    const last = tree.getByRole("treeitem", { name: /^zulu,/ });
    await expect(last).toBeFocused();
    await expect(last).toBeInViewport();
    await page.keyboard.press("ArrowUp");
    await expect(tree.getByRole("treeitem").filter({ hasText: "zulu" })).toBeVisible();
    await page.keyboard.press("Home");
    await expect(tree.getByRole("treeitem", { name: /^root,/ })).toBeFocused();
    await expect(tree.getByRole("treeitem", { name: /^root,/ })).toBeInViewport();

    await tree.evaluate((element) => { element.scrollTop = element.scrollHeight / 2; });
    await expect.poll(() => tree.getByRole("treeitem").evaluateAll((rows) => rows.filter((row) => row.checkVisibility() && row.getBoundingClientRect().top > 100 && row.getBoundingClientRect().bottom < 700).length)).toBeGreaterThan(5);
  });
}

/** Drops a journal with so many queues on the page. Gives the milliseconds until they are drawn, and whether a progress was. */
function openQueues(page: Page, count: number): Promise<{ took: number; progress: string }> {
  return page.evaluate(async (journal) => {
    const data = new DataTransfer();
    data.items.add(new File([journal], "many.jsonl"));
    const begun = performance.now();
    document.querySelector("main")?.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    let progress = "no progress";
    do {
      await new Promise((done) => requestAnimationFrame(done));
      if (document.querySelector("[role=progressbar]")) progress = "progress";
    } while (!document.querySelector("[data-row='root.t0']"));
    await new Promise((done) => requestAnimationFrame(done));
    return { took: performance.now() - begun, progress };
  }, `${JSON.stringify({ at: "0s", type: "config.set", config: configuration(count) })}\n${JSON.stringify({ at: "0s", type: "node.add", id: "n", capacity: { vcore: 8 } })}\n`);
}

/** A tree of three levels with so many queues, the root counted; the last one is zulu. */
function configuration(count: number): string {
  const below = Math.ceil(Math.sqrt(count)) - 1;
  const lines = ["partitions:", "- name: default", "  queues:", "  - name: root", "    queues:"];
  for (let i = 0, left = count - 2; left > 0; i++) {
    lines.push(`    - name: t${String(i)}`);
    const leaves = Math.min(--left, below);
    if (leaves > 0) lines.push("      queues:");
    for (let j = 0; j < leaves; j++, left--) lines.push(`      - {name: q${String(j)}, resources: {guaranteed: {vcore: 1m}, max: {vcore: 4}}}`);
  }
  return [...lines, "    - name: zulu", ""].join("\n");
}
