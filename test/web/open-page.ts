import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { silentLog } from '#src/log.ts';
import type { Operations } from '#src/web/api/operations.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';
import { startWeb, type Web } from '#src/web/web.ts';
import { freePort } from '../support/fanfare-process.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seed } from '../support/property.ts';
import { NOW } from '../support/view-records.ts';

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

/**
 * A way to press a button for each size of the window. The seed of a run selects the pairs, so that runs with other seeds have the others.
 */
export const SIZED_PRESSES = SIZES.map((size, index) => ({ size, ...(PRESSES[(index + seed) % 2] ?? PRESSES[0]) }));

export interface OpenPageOptions {
  readonly size?: (typeof SIZES)[number];
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  readonly timezoneId?: string;
  readonly locale?: string;
}

/** What the server shows. */
export interface Served {
  readonly apiQueries: ApiQueries;
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

/** The context of each combination of options. Another context starts another process, which takes longer than most tests. */
const contexts = new WeakMap<Browser, Map<string, Promise<BrowserContext>>>();

/** A context without cookies. The storage of earlier pages belongs to the addresses of other servers. */
async function contextOf(
  browser: Browser,
  { size = SIZES[0], colorScheme = 'light', javaScriptEnabled = true, timezoneId = 'UTC', locale = 'en-GB' }: OpenPageOptions,
): Promise<BrowserContext> {
  const options = { viewport: size, colorScheme, javaScriptEnabled, timezoneId, locale, reducedMotion: 'reduce' } as const;
  const opened = contexts.get(browser) ?? new Map<string, Promise<BrowserContext>>();
  contexts.set(browser, opened);
  const key = JSON.stringify(options);
  // The tests add axe to the page, which its policy forbids.
  const context = opened.get(key) ?? browser.newContext({ ...options, bypassCSP: true });
  opened.set(key, context);
  await (await context).clearCookies();
  return context;
}

/** Serves the page on the loopback, and opens an address of it. */
export async function openPage(
  browser: Browser,
  path: string,
  { apiQueries, operations, sandboxOrigin }: Served,
  options: OpenPageOptions = {},
): Promise<OpenedPage> {
  const errors: string[] = [];
  const clock = new ManualClock(NOW);
  const serve = (port: number): Promise<Web> =>
    startWeb({ host: '127.0.0.1', port, apiQueries, operations, sandboxOrigin, clock, log: silentLog });
  // No other program gets this port while the server is stopped.
  let web = await serve(await freePort());
  const context = await contextOf(browser, options);
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (line) => line.type() === 'error' && errors.push(line.text()));
  await page.goto(`${web.url}${path}`);
  if (options.javaScriptEnabled !== false) await page.locator('#connection[data-state="live"]').waitFor();
  return {
    page,
    errors,
    stop: () => web[Symbol.asyncDispose](),
    start: async () => {
      web = await serve(Number(new URL(web.url).port));
    },
    [Symbol.asyncDispose]: async () => {
      await page.close();
      await web[Symbol.asyncDispose]();
    },
  };
}

/** The serious and critical findings of axe, and landmarks of the same name, each with its elements. */
export async function seriousFindings(page: Page): Promise<readonly (readonly [id: string, elements: readonly string[]])[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.addScriptTag({ content: axe.source });
  const violations = await page.evaluate<readonly { id: string; impact: string; nodes: { html: string }[] }[]>(
    "axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)",
  );
  const serious = violations.filter(({ id, impact }) => ['serious', 'critical'].includes(impact) || id === 'landmark-unique');
  return serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)] as const);
}

/** By how many pixels the content is wider than the window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** What is wrong with how a page looks. */
interface Flaw {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  readonly findings: Awaited<ReturnType<typeof seriousFindings>>;
  /** By how many pixels the content is wider than the window. */
  readonly overflow: number;
  /** The same with letters of twice the size. */
  readonly largeOverflow: number;
  /** Fields and buttons whose border has a contrast under 3:1 with what is around them. */
  readonly faint: readonly string[];
  /** Parts of a line that end with a point between parts, although the next part is on another line. */
  readonly dangling: readonly string[];
  /** Texts that touch the field or the button above them. */
  readonly touching: readonly string[];
  /** Blocks of text without a height, which cover what is below them. */
  readonly flat: readonly string[];
}

const FLAT_TEXTS = `[...document.querySelectorAll('main *')]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== 'inline' && getComputedStyle(one).display !== 'contents')
  .filter((one) => one.innerText?.trim() && one.getBoundingClientRect().height === 0)
  .map((one) => one.outerHTML)`;

const DANGLING_POINTS = `[...document.querySelectorAll('main .meta > *')]
  .filter((one) => one.checkVisibility() && getComputedStyle(one, '::after').content.includes('·'))
  .filter((one) => one.nextElementSibling && one.nextElementSibling.getBoundingClientRect().top >= one.getBoundingClientRect().bottom)
  .map((one) => one.outerHTML)`;

/** Details are closed at first. */
const TOUCHING_TEXTS = `(() => {
  const closed = [...document.querySelectorAll('main details:not([open])')];
  for (const one of closed) one.open = true;
  const touching = [...document.querySelectorAll('main form + p')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().top - one.previousElementSibling.getBoundingClientRect().bottom < 4)
    .map((one) => one.outerHTML);
  for (const one of closed) one.open = false;
  return touching;
})()`;

/** Compares the color of each border with the nearest background around it. */
const FAINT_BORDERS = `[...document.querySelectorAll('button, select, textarea, input:not([type=checkbox], [type=radio])')]
  .filter((one) => one.checkVisibility() && Number.parseFloat(getComputedStyle(one).borderTopWidth) > 0)
  .filter((one) => {
    const numbers = (color) => color.match(/[\\d.]+/gu).map(Number);
    const luminance = (color) => {
      const [red, green, blue] = numbers(color).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    let around = one.parentElement;
    while (around.parentElement && numbers(getComputedStyle(around).backgroundColor)[3] === 0) around = around.parentElement;
    const [dark, bright] = [getComputedStyle(one).borderTopColor, getComputedStyle(around).backgroundColor].map(luminance).toSorted((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05) < 3;
  })
  .map((one) => one.outerHTML)`;

/**
 * The looks of a page that have findings of axe, borders without contrast, texts without a height or a gap, points at the end of a line, or are wider
 * than the window, of both sizes in both color schemes. One page changes its look, because opening a page takes ten times as long.
 */
export async function flawsOf(page: Page): Promise<readonly Flaw[]> {
  const flaws: Flaw[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const findings = await seriousFindings(page);
      const overflow = await overflowOf(page);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      const largeOverflow = await overflowOf(page);
      await page.evaluate("document.documentElement.style.fontSize = ''");
      const faint = await page.evaluate<readonly string[]>(FAINT_BORDERS);
      const flat = await page.evaluate<readonly string[]>(FLAT_TEXTS);
      const dangling = await page.evaluate<readonly string[]>(DANGLING_POINTS);
      const touching = await page.evaluate<readonly string[]>(TOUCHING_TEXTS);
      const flaw = { width: size.width, colorScheme, findings, overflow, largeOverflow, faint, flat, dangling, touching };
      if ([findings, faint, flat, dangling, touching].some((found) => found.length > 0) || overflow > 0 || largeOverflow > 0)
        flaws.push(flaw);
    }
  }
  return flaws;
}
