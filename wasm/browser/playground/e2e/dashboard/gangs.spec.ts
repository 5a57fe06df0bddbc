import { expect, test, type Page } from "@playwright/test";
import { audit, complaints, walkByTab } from "../page";
import { Host, needsProgram } from "./host";
import { openAt } from "./page";

needsProgram();

const config = `partitions:
- name: default
  topology: [{level: block, attribute: block}, {level: rack, attribute: rack}]
  queues: [{name: root, queues: [{name: train}, {name: web}]}]
`;
const sizes = [3, 1, 2, 2]; // of the racks
const nodes = sizes.flatMap((size, rack) => Array.from({ length: size }, (_, i) => ({
  type: "node.add", id: `n${rack + 1}${i + 1}`, capacity: { vcore: 4 }, attributes: { block: rack < 2 ? "a" : "b", rack: `r${rack + 1}` },
})));
const member = (id: string, gang: string, min: number, more: object = {}) => ({ type: "ask.add", id, app: "train", gang, gang_min: min, resources: { vcore: 2 }, ...more });

let host: Host;
test.beforeAll(async () => {
  host = await Host.start();
  await host.send({ type: "config.set", config }, ...nodes, { type: "node.add", id: "edge", capacity: { vcore: 2 } }, { type: "app.add", id: "train", queue: "root.train", user: "ann" },
    ...[1, 2, 3].map((i) => member(`ring-${i}`, "ring", 2, { gang_max: 4, topology_required: "rack" })),
    ...[1, 2, 3, 4].map((i) => member(`pairs-${i}`, "pairs", 4, { topology_required: "block", topology_slice: { level: "rack", size: 2 } })),
    ...[1, 2].map((i) => member(`torn-${i}`, "torn", 2)),
    member("few-1", "few", 3));
  await host.send({ type: "allocation.release", id: "torn-1", failed: true });
});
test.afterAll(() => host.stop());

const main = (page: Page) => page.getByRole("main");
const row = (page: Page, name: string) => main(page).locator(".listing tbody tr").filter({ has: page.getByRole("rowheader", { name, exact: true }) });

test("a gang is a row with its members together, and says how it stands", async ({ page }) => {
  const found = complaints(page);
  await openAt(page, host, "#/gangs");
  await expect(row(page, "ring")).toContainText("whole: 3 of 2 members run, 1 of them surplus");
  await expect(row(page, "ring").getByRole("img", { name: "3 run" })).toBeVisible();
  await expect(row(page, "torn")).toContainText("broken: 1 of 2 members are left");
  await expect(row(page, "torn")).toContainText("a member failed");
  await expect(row(page, "few")).toContainText("waits: 1 pending, 3 start together");
  await main(page).getByLabel("State").selectOption("Broken");
  await expect(main(page).locator(".listing tbody tr")).toHaveCount(1);
  await main(page).getByRole("link", { name: "torn" }).click();
  await expect(main(page).locator(".why-headline")).toHaveText("It is broken: 1 of 2 members are left.");
  await host.send(member("torn-3", "torn", 2));
  await expect(main(page).locator(".why-headline")).toHaveText("It is whole: 2 of 2 members run."); // without a reload
  expect(found).toEqual([]);
});

test("a gang shows its slices, its members and the words of the scheduler", async ({ page }) => {
  await openAt(page, host, "#/gangs/train/pairs");
  const why = page.locator(".why");
  await expect(why.getByRole("table", { name: "Slices" }).getByRole("row")).toHaveCount(3);
  await expect(why.getByRole("table", { name: "Members" }).getByRole("row", { name: /pairs-4 allocated/ })).toBeVisible();
  await why.getByText("In the scheduler’s words").click();
  await expect(why.locator("pre")).toContainText("It belongs to gang pairs, of which 4 members run and 4 are needed");
  await why.getByRole("link", { name: "pairs-1" }).click();
  await expect(why).toContainText("Of its gang");
  await expect(why).toContainText("it can be preempted only as a whole.");
  await expect(why.getByRole("link", { name: "pairs", exact: true })).toBeVisible();
});

test("nodes stand in frames, one for each rack, with their use, and keys lead through them", async ({ page }) => {
  await openAt(page, host, "#/nodes?by=domain");
  await expect(main(page).locator(".rack")).toHaveCount(5);
  await expect(main(page).getByRole("region", { name: "rack a / r1" })).toContainText("3 nodes");
  await expect(main(page).getByRole("region", { name: "In no rack" }).getByRole("link")).toHaveCount(1);
  await main(page).getByRole("link", { name: /^n11, / }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(main(page).getByRole("link", { name: /^n12, / })).toBeFocused();
  await page.keyboard.press("End");
  await expect(main(page).getByRole("link", { name: /^edge, / })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator(".why")).toContainText("Inspector");
  await expect(page).toHaveTitle(/^edge · Nodes/);
});

for (const theme of ["light", "dark"] as const) {
  test(`nothing serious is found in gangs and racks, ${theme}`, async ({ page }, testInfo) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const [name, width, address] of [["gangs", 1440, "#/gangs/train/pairs"], ["racks", 1440, "#/nodes?by=domain"], ["gangs-narrow", 360, "#/gangs"], ["gang-narrow", 360, "#/gangs/train/pairs"], ["racks-narrow", 360, "#/nodes?by=domain"]] as const) {
      await page.setViewportSize({ width, height: 800 });
      await openAt(page, host, address);
      await expect(main(page).locator(".gang-blocks, .rack").first()).toBeVisible();
      await expect(page.getByText("Loading")).toHaveCount(0);
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
      await page.screenshot({ path: process.env.QUERN_SHOTS ? `${process.env.QUERN_SHOTS}/${name}-${theme}.png` : testInfo.outputPath(`${name}.png`) });
      await audit(page, name, theme === "dark" ? ["color-contrast"] : undefined);
    }
  });
}

test("by touch, what is touched is large enough", async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true });
  for (const address of ["#/gangs", "#/nodes?by=domain"]) {
    await openAt(page, host, address);
    await expect(main(page).locator(".gang-blocks, .rack").first()).toBeVisible();
    const small = await main(page).locator("a:visible, button:visible, select:visible, input:visible").evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 120)));
    expect.soft(small, address).toEqual([]);
  }
  await main(page).getByRole("link", { name: /^n11, / }).tap();
  await expect(page).toHaveTitle(/^n11 · Nodes/);
  await page.close();
});

test("by Tab alone, gangs and one tile of the racks are reached", async ({ page }) => {
  await openAt(page, host, "#/gangs");
  await expect(row(page, "ring")).toBeVisible();
  const names = await walkByTab(page, 60);
  for (const one of ["A Gangs", "A ring", "A pairs"]) expect(names).toContain(one);
  await openAt(page, host, "#/nodes?by=domain");
  await expect(main(page).locator(".rack")).toHaveCount(5);
  expect((await walkByTab(page, 60)).match(/^A (n\d\d|edge), /gm)).toHaveLength(1);
});

test("a cluster without gangs and topology says so", async ({ page }) => {
  const empty = await Host.start();
  try {
    await openAt(page, empty, "#/gangs");
    await expect(main(page)).toContainText("No application has an atomic gang.");
    await openAt(page, empty, "#/nodes?by=domain");
    await expect(main(page)).toContainText("No partition has a topology.");
  } finally {
    await empty.stop();
  }
});
