// Looks at reports in a real browser, as a person would. The arguments are the browser,
// the page of a small run, that of a large one, and a folder for pictures, if any.
//
// What is wrong is thrown; whoever starts this sees it and the exit status.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, small, large, pictures] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 820 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`asked for ${request.url()}`);
  });
  const started = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.locator("main section").first().waitFor();
  return { page, problems, took: performance.now() - started };
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
}

/** A small run: from the summary to an error, its line, the tree, and back. */
async function readsSmallRun() {
  const { page, problems } = await open(small, { colorScheme: "light" });
  await picture(page, "summary");
  await page.getByRole("link", { name: /^Errors/ }).click();
  const error = page.getByRole("article");
  await error.getByRole("heading", { level: 2 }).waitFor();
  await picture(page, "error");
  const replay = await error.locator(".command code").textContent();
  await error.getByRole("link", { name: /:\d+$/ }).first().click();
  const marked = page.locator(".line.marked");
  await marked.waitFor();
  const number = await marked.locator(".line-number").textContent();
  assert.match(page.url(), new RegExp(`:${number}$`));
  await picture(page, "source");
  await page.getByRole("link", { name: /^Errors/ }).click();
  await page.getByRole("link", { name: "Show this path in the tree" }).click();
  await page.getByRole("heading", { name: "Path", exact: true }).waitFor();
  assert.ok((await page.locator(".conditions li").count()) > 0, "the path has conditions");
  await picture(page, "tree");
  await page.locator("canvas").focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: /^(Branch|Start)/ }).waitFor();
  await page.getByRole("link", { name: /^Source/ }).click();
  const name = await page.locator(".functions a").last().textContent();
  await page.getByRole("searchbox").fill(name);
  await page.getByRole("link", { name, exact: true }).first().click();
  await page.locator(".line.marked").waitFor();
  const before = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.getByRole("button", { name: /theme$/ }).click();
  const after = await page.evaluate(() => document.documentElement.dataset.theme);
  assert.deepEqual([before, after], ["light", "dark"]);
  await picture(page, "source-dark");
  await page.getByRole("link", { name: "Solver" }).click();
  await picture(page, "solver");
  // Whatever the program has in its strings is text.
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual(problems, []);
  return replay;
}

/** A run of tens of thousands of paths stays fluid. */
async function readsLargeRun() {
  const { page, problems, took } = await open(large, { colorScheme: "dark" });
  await page.getByRole("link", { name: /^Tests/ }).click();
  const list = page.getByRole("list", { name: "Tests" });
  await list.getByRole("listitem").first().waitFor();
  assert.ok((await list.getByRole("listitem").count()) < 200, "only what is in view is there");
  await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await picture(page, "large-tests");
  await page.getByRole("link", { name: /^Tree/ }).click();
  await page.locator("canvas").waitFor();
  await picture(page, "large-tree");
  await page.getByRole("button", { name: "First error" }).click();
  await page.getByRole("heading", { name: "Path", exact: true }).waitFor();
  const canvas = page.locator("canvas");
  await canvas.hover();
  const frames = await page.evaluate(async () => {
    const element = document.querySelector("canvas");
    const started = performance.now();
    for (let i = 0; i < 20; i++) {
      element.dispatchEvent(new WheelEvent("wheel", { deltaY: -40, bubbles: true, cancelable: true }));
      await new Promise(requestAnimationFrame);
    }
    return (performance.now() - started) / 20;
  });
  await picture(page, "large-tree-near");
  assert.deepEqual(problems, []);
  return { took, frames };
}

const replay = await readsSmallRun();
const speed = large ? await readsLargeRun() : undefined;
await browser.close();
console.log(JSON.stringify({ replay, speed }));
