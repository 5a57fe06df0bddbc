import { deflateRawSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { complaints, open, show, viewNames } from "./page";

const tree = (page: Page) => page.getByRole("tree", { name: "Queues and applications" });
const nodes = (page: Page) => page.getByRole("region", { name: "Nodes", exact: true }).first();
const inspector = (page: Page) => page.getByRole("region", { name: "Inspector" });

const fragment = (scenario: unknown) => `#s=${deflateRawSync(typeof scenario === "string" ? scenario : JSON.stringify(scenario)).toString("base64url")}`;
const lines = (...inputs: object[]) => inputs.map((input) => JSON.stringify({ at: "0s", ...input })).join("\n");

/** A configuration of queues below root. */
const queues = (names: readonly string[]) => JSON.stringify({ partitions: [{ queues: [{ name: "root", queues: names.map((name) => ({ name })) }] }] });

/** A cluster in which everything has such a name: the first of two asks is placed, the second waits. */
function named(name: string, queue: string, type: string) {
  return {
    t: name, c: queues([queue]),
    j: lines(
      { type: "node.add", id: name, capacity: { vcore: 4, [type]: 3 }, attributes: { [name]: name } },
      { type: "node.add", id: `${name}2`, capacity: { vcore: 4 } },
      { type: "app.add", id: name, queue: `root.${queue}`, user: name, tags: { [name]: name } },
      { type: "ask.add", id: `${name}-1`, app: name, resources: { vcore: 1, [type]: 2 } },
      { type: "ask.add", id: `${name}-2`, app: name, resources: { [type]: 2 }, constraints: { [name]: [name] } },
    ),
  };
}

/** Opens each view and each thing of the inspector, and gives all that the page shows of it. */
async function everywhere(page: Page, name: string): Promise<string> {
  let all = "";
  for (const row of await tree(page).getByRole("treeitem").all()) {
    await row.click();
    all += await inspector(page).innerText();
  }
  for (const id of [`${name}-2`, `${name}-1`, name]) {
    await page.getByRole("combobox", { name: /^Find/ }).fill(id);
    await page.keyboard.press("Enter");
    const dryRun = inspector(page).getByRole("button", { name: "Which allocations would it preempt?" });
    if (id === `${name}-2`) await dryRun.click(); // it waits
    else await expect(dryRun).toBeHidden(); // the inspector shows this one by now
    all += await inspector(page).innerText();
  }
  for (const table of await page.getByRole("button", { name: "Show as table" }).all()) await table.click();
  all += await page.locator("main").innerText();
  for (const view of viewNames) {
    await show(page, view);
    all += await page.locator("main").innerText();
  }
  await show(page, "Cluster");
  return all;
}

test.describe("names", () => {
  test("no text becomes an element", async ({ page }) => {
    const found = complaints(page);
    const evil = '<img src=x onerror="hacked=1"><script>hacked=1</script>';
    await open(page, fragment(named(evil, "evil", evil)));
    await expect(page.getByRole("banner")).toContainText(evil);
    const all = await everywhere(page, evil);
    expect(all).toContain(evil);
    expect(await page.locator("img[src=x], body script").count()).toBe(0);
    expect(await page.evaluate(() => Reflect.has(globalThis, "hacked"))).toBe(false);
    // Notices: the scheduler refuses an application whose queue is an element.
    await page.evaluate((text) => { location.hash = text; }, fragment({ t: "x", j: `{"at":"0s","type":"${evil.replaceAll('"', "'")}"}` }));
    await expect(page.getByRole("alert")).toContainText("<img src=x");
    expect(await page.locator("img[src=x], body script").count()).toBe(0);
    expect(found).toEqual([]);
  });

  for (const name of ["__proto__", "constructor"]) {
    test(`${name} is a name like any other`, async ({ page }) => {
      const found = complaints(page);
      const scenario = JSON.stringify(named("@@", "@@", "@@")).replaceAll("@@", name);
      await open(page, fragment(scenario));
      await expect(tree(page).getByRole("treeitem", { name: new RegExp(`^${name}, \\w+, 1 allocated, 1 pending`) })).toBeVisible();
      const all = await everywhere(page, name);
      expect(all).not.toMatch(/\[object|native code|NaN|undefined/);
      await nodes(page).getByRole("button", { name: "Show as table" }).click();
      await expect(nodes(page).getByRole("columnheader", { name })).toBeVisible();
      await expect(nodes(page).getByRole("row").nth(1)).toContainText("2 of 3");
      expect(found).toEqual([]);
    });
  }
});
