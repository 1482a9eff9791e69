// What every look at a page in a real browser begins with.
//
// A page may ask for nothing but itself, and may complain of nothing: whatever it does is
// kept in `problems`, which a test expects to be empty in the end. A busy machine may take its
// time to show something; only what never shows is given up.
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const PATIENCE = 300_000;

export async function launch(executablePath) {
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Opens a file, or an address of the server of a run. */
export async function open(browser, what, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 820 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const address = what.startsWith("http:") ? what : pathToFileURL(what).href;
  const own = what.startsWith("http:") ? new URL("./", address).href : undefined;
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    const url = request.url();
    const isOwn = /^(file|data|blob):/.test(url) || (own && url.startsWith(own));
    if (!isOwn) problems.push(`asked for ${url}`);
  });
  await page.goto(address);
  await page.locator("main").first().waitFor();
  return { page, problems };
}

export async function picture(page, folder, name) {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
