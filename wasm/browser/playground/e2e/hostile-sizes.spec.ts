import { deflateRawSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { complaints, dropFile, open, show } from "./page";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const nodes = (page: Page) => page.getByRole("region", { name: "Nodes", exact: true }).first();
const packed = (text: string) => `#s=${deflateRawSync(text).toString("base64url")}`;
const journal = (...inputs: object[]) => inputs.map((input) => JSON.stringify({ at: "0s", ...input })).join("\n");
const configured = (queues: readonly unknown[]) => ({ type: "config.set", config: JSON.stringify({ partitions: [{ queues: [{ name: "root", queues }] }] }) });

async function expectNoSidewaysScroll(page: Page, where: string) {
  const wide = await page.evaluate(() => [document.documentElement, document.querySelector("main")].some((box) => box !== null && box.scrollWidth > box.clientWidth + 1));
  expect(wide, where).toBe(false);
}

/** Goes for a thing by its ID; gives how long it took until the inspector shows it, in milliseconds. */
async function pick(page: Page, id: string): Promise<number> {
  const begun = Date.now();
  // By their look: looking for a role among 60,000 elements takes the test longer than the page.
  await page.getByPlaceholder("Find by ID").fill(id);
  await expect(page.locator(".search-list > div").first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.locator(".panel-subject")).toContainText(id);
  return Date.now() - begun;
}

test("links of junk are named, and the page opens all the same", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  for (const [fragment, said] of [
    ["#s=%%%", /expected letters, digits/], ["#s=" + "A".repeat(9999), /expected/], ["#s=", /expected/], [packed(""), /expected a scenario/], [packed("null"), /expected a scenario/],
    [packed("[]"), /title: expected a text/], [packed('{"t":{"toString":1},"j":""}'), /title: expected a text/], [packed('{"t":"x","j":"","g":1e300}'), /grace: expected a number from 0, found 1e\+300/],
    [packed('{"t":"x","j":"","b":-1}'), /begin: expected a number/], [packed('{"t":"x","j":"","v":1e999}'), /speed: expected a number/],
    [packed('{"__proto__":{"t":"x"},"j":""}'), /title: expected a text/],
    [packed("[".repeat(100_000)), /expected a scenario/], ["#lesson=../../x&s=A", /expected/],
  ] as const) {
    await page.evaluate((hash) => { location.hash = hash; }, fragment);
    await expect(page.getByRole("alert"), fragment.slice(0, 60)).toContainText(said);
    const dismiss = page.getByRole("button", { name: "Dismiss" });
    while (await dismiss.count() > 0) await dismiss.first().click();
  }
  await open(page);
  await button(page, "Play").click();
  await expect(button(page, "Pause")).toBeVisible();
  expect(found).toEqual([]);
});

test("long, right-to-left and invisible names keep the layout", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  const names = ["x".repeat(1_000), "\u202egnp.elif", "\u200b\u200d\ufeff", "שלום עולם", "a b\tc", "👩‍👩‍👧‍👦".repeat(40), "W".repeat(300)];
  await dropFile(page, "names.jsonl", journal(
    configured([{ name: "a" }]), { type: "node.add", id: names[0], capacity: { vcore: 4, [`t${"y".repeat(400)}`]: 5 } },
    ...names.flatMap((id) => [
      { type: "app.add", id, queue: "root.a", user: id }, { type: "ask.add", id: `${id}-1`, app: id, resources: { vcore: 1 } }, { type: "node.add", id: `${id}-n`, capacity: { vcore: "10m" } },
    ]),
  ));
  await expect(page.getByRole("banner")).toContainText("names.jsonl");
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page, `cluster at ${width}`);
  }
  for (const name of [names[0] ?? "", names[1] ?? "", names[5] ?? ""]) {
    await pick(page, name);
    await expectNoSidewaysScroll(page, `inspector of ${name.slice(0, 20)}`);
  }
  for (const table of await page.getByRole("button", { name: "Show as table" }).all()) await table.click();
  await expectNoSidewaysScroll(page, "tables");
  for (const view of ["Configure", "Compare", "Scenarios"] as const) {
    await show(page, view);
    await expectNoSidewaysScroll(page, view);
  }
  expect(found).toEqual([]);
});

test("5,000 queues, 300 types and an application of 20,000 asks are shown within a few seconds", async ({ page }) => {
  test.setTimeout(120_000);
  const found = complaints(page);
  await open(page);
  const types = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`example.com/type-${i}`, 4]));
  await dropFile(page, "large.jsonl", journal(
    configured([{ name: "big" }, ...Array.from({ length: 5000 }, (_, i) => ({ name: `q${i}` }))]),
    ...Array.from({ length: 20 }, (_, i) => ({ type: "node.add", id: `n${i}`, capacity: { vcore: 10, ...types } })),
    { type: "app.add", id: "many", queue: "root.big" },
    { type: "ask.add", id: "many-", app: "many", resources: { vcore: 1 }, count: 20_000 },
  ));
  await expect(page.getByRole("banner")).toContainText("large.jsonl", { timeout: 30_000 });
  await expect(page.getByRole("progressbar")).toHaveCount(0, { timeout: 30_000 });
  process.stdout.write(`the application of 20,000 asks took ${await pick(page, "many")} ms to be shown, a queue of 5,000 ${await pick(page, "root.q4321")} ms\n`);
  const begun = Date.now();
  await nodes(page).getByRole("button", { name: "Show as table" }).click();
  await expect(nodes(page).getByRole("columnheader").nth(250)).toBeAttached();
  await expectNoSidewaysScroll(page, "a table of 300 types");
  await page.keyboard.press("2");
  await page.keyboard.press("1");
  await page.locator(".transport-moves button", { hasText: "Play" }).click();
  await expect(page.locator(".transport-moves button", { hasText: "Pause" }).or(page.locator(".notice"))).toBeVisible({ timeout: 5000 });
  process.stdout.write(`tables, views and play took ${Date.now() - begun} ms\n`);
  expect(found).toEqual([]);
});
