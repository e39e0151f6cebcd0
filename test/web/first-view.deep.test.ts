import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { openDatabase } from '#src/store/sqlite/open.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { startWeb, type Web } from '#src/web/web.ts';
import { hasChromium, launchChromium } from '../support/chromium.ts';
import { writeToSqlite } from '../support/bulk-installation.ts';
import { endMs, serveLarge, type LargeCounts } from '../support/large-installation.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { slowdown } from '../support/processor-time.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SIZES } from './open-page.ts';

/** The pages are full, and the number of rows behind them does not matter to a browser. */
const COUNTS: LargeCounts = { rules: 10_000, deliveries: 20_000, episodes: 30_000, decisions: 60_000, actions: 1_000 };
const FIRST_VIEW_MS = 1_000;
const FIRST_VIEW_BYTES = 60_000;
const SCRIPT_BYTES = 56_000;
/** The time in which a browser draws a picture. */
const FRAME_MS = 16;
const STEPS = 40;

/** The views with the most rows, and the largest number of elements in their documents. */
const PATHS = [
  ['/overview', 2_000],
  ['/rules', 4_500],
  ['/rules/big', 4_500],
  ['/why?q=Streamer%2017', 4_500],
  ['/deliveries', 3_000],
  ['/lists/team', 2_500],
  ['/audit', 2_500],
] as const;

describe.runIf(hasChromium)('a cold browser', () => {
  const folder = temporaryFolder();
  const clock = new ManualClock(endMs(COUNTS));
  let browser: Browser;
  let store: Store;
  let web: Web;

  beforeAll(async () => {
    const file = join(folder.path, 'fanfare.sqlite');
    const database = openDatabase(file);
    await writeToSqlite(database, COUNTS);
    store = await openStore({ file, clock });
    browser = await launchChromium();
    web = await startWeb({ host: '127.0.0.1', port: 0, ...serveLarge(store, clock), clock, log: silentLog });
  });

  afterAll(async () => {
    await browser.close();
    await web[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test.for(PATHS)('%s is shown and scrolled with little work', async ([path, mostElements]) => {
    // The script is bundled at its first request.
    await (await fetch(`${web.url}/views.en.js`)).text();
    const context = await browser.newContext({ viewport: SIZES[0], timezoneId: 'Europe/Berlin' });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    // The view is complete without the scripts, which load after it.
    const scripts = new Set<string>();
    session.on('Network.responseReceived', ({ requestId, type }) => void (type === 'Script' && scripts.add(requestId)));
    const bytes = { view: 0, scripts: 0 };
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes[scripts.has(requestId) ? 'scripts' : 'view'] += encodedDataLength;
    });
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });

    await page.goto(`${web.url}${path}`);
    await page.locator('#connection[data-state="live"]').waitFor();
    const shownMs = await taskMs(session);
    const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
    const frameMs = await scrolledMs(page, session);
    console.log(path, elements, 'elements', bytes, 'bytes, first view', shownMs.toFixed(0), 'ms, scrolled step', frameMs.toFixed(1), 'ms');
    await context.close();

    expect(elements).toBeLessThan(mostElements);
    expect(shownMs).toBeLessThan(FIRST_VIEW_MS * slowdown());
    expect(bytes.view).toBeLessThan(FIRST_VIEW_BYTES);
    expect(bytes.scripts).toBeLessThan(SCRIPT_BYTES);
    expect(frameMs).toBeLessThan(FRAME_MS * slowdown());
  });
});

/** The processor time of the page's thread since the session began. */
async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** The processor time of the page's thread for one step of the wheel, while it scrolls through the document. */
async function scrolledMs(page: Page, session: CDPSession): Promise<number> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  const beforeMs = await taskMs(session);
  for (let step = 0; step < STEPS; step++) {
    await page.mouse.wheel(0, height / STEPS);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  return ((await taskMs(session)) - beforeMs) / STEPS;
}
