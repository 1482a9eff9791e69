// Looks at the pages of other front ends. The arguments are the browser, the pages of
// fuzzing, of a model and of a program with external functions, and a folder for pictures, if
// any.
import assert from "node:assert/strict";
import { launch, open, picture } from "./common.mjs";

const [executablePath, fuzzing, model, mixed, pictures] = process.argv.slice(2);
const browser = await launch(executablePath);

/** The corpus can be searched, and the error says how to see it again. */
async function readsFuzzing() {
  const { page, problems } = await open(browser, fuzzing);
  await page.getByRole("heading", { name: "Course of the run" }).waitFor();
  await page.locator("canvas").first().waitFor();
  await page.getByRole("link", { name: /^Corpus/ }).click();
  const inputs = page.getByRole("list", { name: "Corpus" }).getByRole("listitem");
  await inputs.nth(1).waitFor();
  await picture(page, pictures, "corpus");
  const wanted = await inputs.nth(1).locator("code").textContent();
  await page.getByRole("searchbox").fill(wanted);
  await page.waitForFunction(
    (text) => [...document.querySelectorAll(".test code")].every((it) => it.textContent.includes(text)),
    wanted,
  );
  await page.getByRole("link", { name: /^Errors/ }).click();
  await page.getByRole("article").locator(".command code").waitFor();
  assert.deepEqual(problems, []);
}

/** The automata, the symbolic tree and the tests as sequence charts. */
async function readsModel() {
  const { page, problems } = await open(browser, model);
  const automata = page.getByRole("img", { name: /^The automata/ });
  await automata.waitFor();
  await page.waitForFunction(() => document.querySelector("img.picture")?.naturalWidth > 0);
  await page.getByRole("link", { name: /^Tree/ }).click();
  await page.locator("canvas").waitFor();
  await page.getByRole("link", { name: /^Tests/ }).click();
  await page.getByRole("img", { name: /tester: / }).waitFor();
  await picture(page, pictures, "sequence");
  const second = page.locator(".choice a").nth(1);
  const name = await second.locator("span").first().textContent();
  await second.click();
  await page.getByRole("article", { name, exact: true }).waitFor();
  assert.deepEqual(problems, []);
}

/** The tables of external functions, and the flame that opens and closes. */
async function readsMixed() {
  const { page, problems } = await open(browser, mixed);
  await page.getByRole("link", { name: "Functions" }).click();
  await page.getByRole("heading", { name: "External functions" }).waitFor();
  await page.getByRole("cell", { name: "hash", exact: true }).waitFor();
  await page.getByRole("link", { name: "Solver" }).click();
  const flame = page.getByRole("group", { name: /^Solver time/ });
  const outer = flame.getByRole("button", { name: /^main/ }).first();
  await outer.click();
  const above = flame.locator(".flame-block.above");
  await above.first().waitFor();
  await picture(page, pictures, "flame");
  await above.first().click();
  await above.first().waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
}

await readsFuzzing();
await readsModel();
await readsMixed();
await browser.close();
console.log("{}");
