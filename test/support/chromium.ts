import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** Without windows, Chromium takes half of the CPU time. Not each system has a package of this build. */
const EXECUTABLE = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Tests in a browser are skipped without one. */
export const hasChromium = EXECUTABLE !== undefined;

/** A step that takes longer hangs. Chromium itself takes seconds for a page while other processes use the cores. */
const LONGEST_STEP_MS = 240_000;

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
    return context;
  };
  return browser;
}
