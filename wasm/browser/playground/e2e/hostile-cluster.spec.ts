import { expect, test, type Page } from "@playwright/test";
import { hostileModule } from "./hostile-files";
import { complaints, dropFile, open, show } from "./page";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const stream = (page: Page) => page.getByRole("region", { name: "Decisions" });

/** Modules that pass gate and trial, and then do something else in a cluster of a thousand nodes. */
const faulty = [
  { kind: "a long start and calls that fail", said: "bad-start did not answer properly", name: "bad-start" },
  { kind: "endless in quern_dictionary", said: "endless did not answer properly", name: "endless" },
  { kind: "reserve grows each time", name: "grows" },
];

/** Plays for some seconds; gives the longest time between two frames, in milliseconds. */
async function longestFrame(page: Page, milliseconds: number): Promise<number> {
  await button(page, "Play").click();
  const longest = await page.evaluate(async (duration) => {
    const next = () => new Promise<number>((done) => requestAnimationFrame(done));
    const start = await next();
    let most = 0;
    for (let last = start; last - start < duration;) {
      const now = await next();
      most = Math.max(most, now - last);
      last = now;
    }
    return most;
  }, milliseconds);
  await button(page, "Pause").click();
  await expect(button(page, "Play")).toBeVisible({ timeout: 5000 });
  return longest;
}

for (const { kind, said, name } of faulty) {
  test(`a module acts in the cluster, and the page stays fluid: ${kind}`, async ({ page }) => {
    const bytes = hostileModule(kind);
    test.skip(bytes === undefined, "there is no corpus of hostile modules: TestHostileCorpus writes it");
    const found = complaints(page);
    await open(page, "#lesson=thousand");
    await dropFile(page, `${name}.wasm`, bytes ?? "");
    const card = page.getByRole("article", { name: `Module ${name}` });
    await expect(card.getByText("Passed")).toBeVisible({ timeout: 30_000 });
    await card.getByRole("button", { name: "Use it in the cluster" }).click();
    await card.getByRole("button", { name: "Name it for the whole tree" }).click();
    await show(page, "Cluster");
    await page.getByRole("combobox", { name: /^Speed/ }).selectOption({ label: "60×" });
    const before = await page.getByTitle("Decisions so far").textContent();
    expect(await longestFrame(page, 1000)).toBeLessThan(1000);
    await expect(page.getByTitle("Decisions so far")).not.toHaveText(before ?? "");
    if (said !== undefined) {
      await stream(page).getByRole("button", { name: "Refused" }).click();
      await expect(stream(page)).toContainText(said);
    }
    expect(found).toEqual([]);
  });
}
