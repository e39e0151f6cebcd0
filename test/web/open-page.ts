import axe from 'axe-core';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { silentLog } from '#src/log.ts';
import type { Operations } from '#src/web/api/operations.ts';
import type { Views } from '#src/admin/queries/views.ts';
import { startWeb, type Web } from '#src/web/web.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { NOW } from '../support/view-records.ts';

const CHROMIUM = '/usr/bin/chromium';

export const hasChromium = existsSync(CHROMIUM);

/** A text of a platform that would change the title if it were markup. */
export const ATTACK = '</script><img src=x onerror="document.title=`taken`"><b>';

/** A desktop and a phone. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

/** How people press a button. */
export const PRESSES = [
  { how: 'with the mouse', press: (button: Locator) => button.click() },
  { how: 'with the keyboard', press: async (button: Locator) => (await button.focus(), button.press('Enter')) },
] as const;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
}

export interface OpenPageOptions {
  readonly size?: (typeof SIZES)[number];
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  readonly timezoneId?: string;
  readonly locale?: string;
}

/** What the server shows. */
export interface Served {
  readonly views: Views;
  readonly operations: Operations;
  /** The origin of the sandbox; absent with real accounts. */
  readonly sandboxOrigin?: string | undefined;
}

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** The errors of the page. */
  readonly errors: readonly string[];
  /** Stops the server. */
  stop(): Promise<void>;
  /** Starts the server again. */
  start(): Promise<void>;
}

/** Serves the page on the loopback, and opens an address of it. */
export async function openPage(
  browser: Browser,
  path: string,
  { views, operations, sandboxOrigin }: Served,
  { size = SIZES[0], colorScheme = 'light', javaScriptEnabled = true, timezoneId = 'UTC', locale = 'en-GB' }: OpenPageOptions = {},
): Promise<OpenedPage> {
  const errors: string[] = [];
  const clock = new ManualClock(NOW);
  const serve = (port: number): Promise<Web> =>
    startWeb({ host: '127.0.0.1', port, views, operations, sandboxOrigin, clock, log: silentLog });
  let web = await serve(0);
  const context = await browser.newContext({
    viewport: size,
    colorScheme,
    javaScriptEnabled,
    timezoneId,
    locale,
    reducedMotion: 'reduce',
    // The tests add axe to the page, which its policy forbids.
    bypassCSP: true,
  });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (line) => line.type() === 'error' && errors.push(line.text()));
  await page.goto(`${web.url}${path}`);
  if (javaScriptEnabled) await page.locator('#connection[data-state="live"]').waitFor();
  return {
    page,
    errors,
    stop: () => web[Symbol.asyncDispose](),
    start: async () => {
      web = await serve(Number(new URL(web.url).port));
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await web[Symbol.asyncDispose]();
    },
  };
}

/** The serious and critical findings of axe, each with its elements. */
export async function seriousFindings(page: Page): Promise<readonly (readonly [id: string, elements: readonly string[]])[]> {
  await page.addScriptTag({ content: axe.source });
  const violations = await page.evaluate<readonly { id: string; impact: string; nodes: { html: string }[] }[]>(
    'axe.run().then(({ violations }) => violations)',
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)] as const);
}

/** By how many pixels the content is wider than the window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
