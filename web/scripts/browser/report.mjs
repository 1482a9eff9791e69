// Looks at reports as a person would. The arguments are the browser, the page of a small
// run, that of a large one, and a folder for pictures, if any.
//
// What is wrong is thrown; whoever starts this sees it and the exit status. What a click or a
// key brings about shows with a later frame, so that it is waited for and never read at once.
import assert from "node:assert/strict";
import { launch, open, picture } from "./common.mjs";

const [executablePath, small, large, pictures] = process.argv.slice(2);
const browser = await launch(executablePath);

/** From the list of errors to the line of the first, its path in the tree, and its command. */
async function followsError(page, prefix) {
  await page.getByRole("link", { name: /^Errors/ }).click();
  const error = page.getByRole("article");
  await error.getByRole("heading", { level: 2 }).waitFor();
  await picture(page, pictures, `${prefix}error`);
  // What the button copies is what a person pastes.
  const replay = await error.locator(".command code").textContent();
  await error.getByRole("button", { name: "Copy" }).click();
  await error.getByRole("button", { name: "Copied" }).waitFor();
  const filter = page.getByRole("searchbox");
  await filter.focus();
  await page.keyboard.press("Control+V");
  await page.waitForFunction((text) => document.activeElement?.value === text, replay);
  await filter.fill("");
  await error.getByRole("link", { name: /:\d+$/ }).first().click();
  const marked = page.locator(".line.marked");
  await marked.waitFor();
  const number = await marked.locator(".line-number").textContent();
  await page.waitForURL(new RegExp(`:${number}$`));
  await picture(page, pictures, `${prefix}source`);
  await page.getByRole("link", { name: /^Errors/ }).click();
  await page.getByRole("link", { name: "Show this path in the tree" }).click();
  await page.getByRole("heading", { name: "Path", exact: true }).waitFor();
  await page.locator(".conditions li").first().waitFor();
  await picture(page, pictures, `${prefix}tree`);
  return replay;
}

/** Finds a function by its name and goes to it. */
async function filtersByFunction(page, name) {
  await page.getByRole("link", { name: /^Source/ }).click();
  await page.getByRole("searchbox").fill(name);
  await page.getByRole("link", { name, exact: true }).first().click();
  await page.locator(".line.marked").waitFor();
}

async function switchesTheme(page) {
  const before = await page.evaluate(() => [
    document.documentElement.dataset.theme,
    getComputedStyle(document.body).backgroundColor,
  ]);
  await page.getByRole("button", { name: /theme$/ }).click();
  await page.waitForFunction(
    ([theme, ground]) =>
      document.documentElement.dataset.theme !== theme &&
      getComputedStyle(document.body).backgroundColor !== ground,
    before,
  );
}

/** Everything can be reached without a mouse. */
async function worksByKeyboard(page) {
  // From the top of the page, wherever the mouse was.
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
  });
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.activeElement?.textContent === "Skip to content");
  const view = page.url();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "main");
  assert.equal(page.url(), view, "skipping stays in the view");
  await page.getByRole("link", { name: /^Tree/ }).focus();
  await page.keyboard.press("Enter");
  await page.locator("canvas").focus();
  await page.keyboard.press("Home");
  await page.getByRole("heading", { name: "Start" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { level: 2, name: /^(Branch|Path)/ }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: "Start" }).waitFor();
}

/** Whatever the program has in its names and strings is text. */
async function showsTextAsText(page) {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  const scripts = await page.locator("script").count();
  assert.equal(scripts, 2, "the document and our script");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.hacked = 1";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.hacked), undefined, "the policy lets no other script run");
}

async function readsSmallRun() {
  const { page, problems } = await open(browser, small, { colorScheme: "light" });
  await picture(page, pictures, "summary");
  const replay = await followsError(page, "");
  const functions = page.locator(".functions a");
  await page.getByRole("link", { name: /^Source/ }).click();
  await filtersByFunction(page, await functions.last().textContent());
  await switchesTheme(page);
  await picture(page, pictures, "source-dark");
  await worksByKeyboard(page);
  await page.getByRole("link", { name: "Solver" }).click();
  await page.getByRole("group", { name: /^Solver time/ }).waitFor();
  await picture(page, pictures, "solver");
  await page.emulateMedia({ media: "print" });
  // Paper has no links.
  await page.locator("nav").waitFor({ state: "hidden" });
  await page.emulateMedia({ media: "screen" });
  assert.deepEqual(problems, []);
  await showsTextAsText(page);
  return replay;
}

/** A run of tens of thousands of paths stays fluid: the page never holds more than is in view. */
async function readsLargeRun() {
  const { page, problems } = await open(browser, large, { colorScheme: "dark" });
  const isSmall = async (where) => {
    const elements = await page.evaluate(() => document.getElementsByTagName("*").length);
    assert.ok(elements < 3000, `${elements} elements in ${where}`);
  };
  await isSmall("the summary");
  await page.getByRole("link", { name: /^Tests/ }).click();
  const list = page.getByRole("list", { name: "Tests" });
  await list.getByRole("listitem").first().waitFor();
  await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
  await page.getByText("test050000").waitFor();
  await isSmall("the tests");
  await page.getByRole("searchbox").fill("assert");
  await page.getByRole("status").getByText("1 of 50,000").waitFor();
  await picture(page, pictures, "large-tests");
  await followsError(page, "large-");
  await isSmall("the tree");
  await filtersByFunction(page, "main");
  await page.getByRole("list", { name: /^Source/ }).evaluate((element) => (element.scrollTop = element.scrollHeight));
  await page.getByText("20000", { exact: true }).waitFor();
  await isSmall("the source");
  await switchesTheme(page);
  await worksByKeyboard(page);
  await page.getByRole("button", { name: "First error" }).click();
  await page.getByRole("heading", { name: "Path", exact: true }).waitFor();
  await picture(page, pictures, "large-tree-near");
  const paint = await page.evaluate(() => performance.getEntriesByType("paint").map((it) => [it.name, it.startTime]));
  const frame = await page.evaluate(async () => {
    const element = document.querySelector("canvas");
    const started = performance.now();
    for (let i = 0; i < 20; i++) {
      element.dispatchEvent(new WheelEvent("wheel", { deltaY: -40, bubbles: true, cancelable: true }));
      await new Promise(requestAnimationFrame);
    }
    return (performance.now() - started) / 20;
  });
  assert.deepEqual(problems, []);
  return { paint: Object.fromEntries(paint), frame };
}

const replay = await readsSmallRun();
const speed = large ? await readsLargeRun() : undefined;
await browser.close();
console.log(JSON.stringify({ replay, speed }));
