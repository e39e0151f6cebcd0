import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFailed } from 'vitest';

/** Without windows, Chromium takes half of the CPU time. Not each system has a package of this build. */
const EXECUTABLE = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Tests in a browser are skipped without one. */
export const hasChromium = EXECUTABLE !== undefined;

/** A step that takes longer hangs. Chromium itself takes seconds for a page while other processes use the cores. */
const LONGEST_STEP_MS = 240_000;

/**
 * The page takes a press right after an update for one that was meant for what was there before. For the page, each click comes long after
 * the last update, even if an update comes between the look of Playwright at the button and its click.
 */
const AFTER_UPDATES = `{
  const now = performance.now.bind(performance);
  let isClick = false;
  performance.now = () => now() + (isClick ? 1000 : 0);
  addEventListener('click', () => {
    isClick = true;
    setTimeout(() => (isClick = false));
  }, { capture: true });
}`;

interface ChromiumOptions {
  /** Names of this machine that do not belong to the loopback. */
  readonly localNames?: readonly string[];
}

/** Starts a browser before the tests of a suite, and closes it after them. */
export function useChromium(options?: ChromiumOptions): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium(options);
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('the browser starts before the first test');
    return browser;
  };
}

/** Starts the browser of the tests. */
export async function launchChromium({ localNames = [] }: ChromiumOptions = {}): Promise<Browser> {
  const rules = localNames.map((name) => `MAP ${name} 127.0.0.1`).join(', ');
  const args = ['--no-sandbox', '--disable-gpu', ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])];
  const browser = await chromium.launch({
    ...(EXECUTABLE !== undefined && { executablePath: EXECUTABLE }),
    args,
    timeout: LONGEST_STEP_MS,
  });
  const open = browser.newContext.bind(browser);
  // `newPage` calls it too.
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(LONGEST_STEP_MS);
    await context.addInitScript(AFTER_UPDATES);
    const openPage = context.newPage.bind(context);
    context.newPage = async () => {
      const page = await openPage();
      tellShown(page);
      return page;
    };
    return context;
  };
  return browser;
}

/** If the test fails, tells what the page showed last: the error of a step only has the element that it waited for. */
function tellShown(page: Page): void {
  let last: string | undefined;
  const close = page.close.bind(page);
  page.close = async (options) => {
    last = await shownBy(page);
    await close(options);
  };
  onTestFailed(async () => console.error(`${page.url()} showed:\n${last ?? (await shownBy(page))}`));
}

async function shownBy(page: Page): Promise<string> {
  return page.locator('body').innerText({ timeout: 5000 }).catch(String);
}
