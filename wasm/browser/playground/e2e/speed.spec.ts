import { expect, test, type Page } from "@playwright/test";
import { open } from "./page";

/** How long to play for the look at memory. */
const minutes = Number(process.env.QUERN_MINUTES ?? "0.2");

interface Frames {
  readonly perSecond: number;
  /** Milliseconds between two frames: the middle, and the slowest of 20 and of 100. */
  readonly middle: number;
  readonly slow: number;
  readonly slowest: number;
  readonly longTasks: number;
  readonly longest: number;
}

test("a thousand nodes play fluidly, and memory stays flat", async ({ page }) => {
  test.setTimeout((minutes + 2) * 60_000);
  await open(page, "#lesson=thousand");
  await expect(page.getByRole("application", { name: "Nodes as tiles" })).toBeVisible();
  const play = page.getByRole("button", { name: "Play", exact: true });

  await play.click();
  tell("at the lesson's speed", await frames(page, 10));
  await page.getByRole("combobox", { name: /^Speed/ }).selectOption({ label: "max" });
  const flatOut = await frames(page, 10);
  tell("at max", flatOut);
  expect(flatOut.perSecond).toBeGreaterThan(20);

  const heaps = await heapsWhilePlaying(page, minutes * 60_000);
  print(`JS heap over ${minutes} min at max, begun anew at each end: ${heaps.map((heap) => (heap / 2 ** 20).toFixed(1)).join(", ")} MiB`);
});

/** Watches frames for some seconds. */
function frames(page: Page, seconds: number): Promise<Frames> {
  return page.evaluate(async (duration) => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ type: "longtask" });
    const gaps: number[] = [];
    const next = () => new Promise<number>((done) => requestAnimationFrame(done));
    const start = await next();
    for (let last = start; last - start < duration * 1000;) {
      const now = await next();
      gaps.push(now - last);
      last = now;
    }
    observer.disconnect();
    gaps.sort((a, b) => a - b);
    const at = (share: number) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))] ?? 0;
    return {
      perSecond: gaps.length / duration, middle: at(0.5), slow: at(0.95), slowest: at(0.99), longTasks: tasks.length, longest: Math.max(0, ...tasks),
    };
  }, seconds);
}

/** Plays from the start again and again, and looks at the heap after a collection, eight times at most. */
async function heapsWhilePlaying(page: Page, milliseconds: number): Promise<number[]> {
  const client = await page.context().newCDPSession(page);
  const heaps: number[] = [];
  const play = page.getByRole("button", { name: "Play", exact: true });
  const end = Date.now() + milliseconds;
  const pause = Math.max(3000, milliseconds / 8);
  for (let look = Date.now(); Date.now() < end;) {
    if (await play.isVisible()) {
      await page.getByRole("button", { name: "To the start" }).click();
      await play.click();
    }
    await page.waitForTimeout(500);
    if (Date.now() < look) continue;
    await client.send("HeapProfiler.collectGarbage");
    heaps.push((await client.send("Runtime.getHeapUsage")).usedSize);
    look = Date.now() + pause;
  }
  return heaps;
}

function tell(when: string, f: Frames) {
  print(`${when}: ${f.perSecond.toFixed(1)} frames a second; gaps ${f.middle.toFixed(1)} ms in the middle, ${f.slow.toFixed(1)} at 95%, ${f.slowest.toFixed(1)} at 99%; `
    + `${f.longTasks} long tasks, the longest ${f.longest.toFixed(0)} ms`);
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
