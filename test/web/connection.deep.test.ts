import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { noOperations } from '../support/operations.ts';
import { delivery, post } from '../support/view-records.ts';
import { openPage, type OpenedPage } from './open-page.ts';

interface Opened extends OpenedPage {
  readonly apiQueries: FakeApiQueries;
}

describe.runIf(hasChromium)('the connection of a view', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser.close());

  async function open(apiQueries = new FakeApiQueries()): Promise<Opened> {
    apiQueries.deliveryList = [delivery('d1', { text: 'first' })];
    return { ...(await openPage(browser, '/deliveries', { apiQueries, operations: noOperations })), apiQueries };
  }

  test('says that the session has ended, and goes on after a new sign-in', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    const refused = { status: 401, json: { status: 401, code: 'unauthenticated', detail: 'Sign in.' } };
    await page.route(/\/api\/(?:session|events)(?:\?|$)/u, (route) => route.fulfill(refused));
    await withShortWaits(page);

    await opened.stop();
    await opened.start();
    await page.getByRole('status').getByText('Your session has ended. Sign in again in another tab').waitFor();
    apiQueries.deliveryList = [delivery('d2', { text: 'second' })];
    await page.unroute(/\/api\/(?:session|events)(?:\?|$)/u);

    await page.getByText('second').waitFor();
    await page.locator('#connection[data-state="live"]').waitFor();
    expect(await page.locator('#connection').textContent()).toBe('Live');
  });

  test('shows what happened between the document and the first connection', async () => {
    class BusyApiQueries extends FakeApiQueries {
      override async deliveries(...query: Parameters<FakeApiQueries['deliveries']>): ReturnType<FakeApiQueries['deliveries']> {
        const answer = await super.deliveries(...query);
        if (this.deliveryList[0]?.id === 'd1') {
          this.deliveryList = [delivery('d2', { text: 'in between' })];
          this.emit({ kind: 'delivery', item: delivery('d2') });
        }
        return answer;
      }
    }
    await using opened = await open(new BusyApiQueries());

    await opened.page.getByText('in between').waitFor();
    expect(opened.errors).toEqual([]);
  });

  test('updates the view within a minute after a machine slept during a request', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    const waits = await withShortWaits(page);
    await page.route('**/api/deliveries?*', async (route) => {
      await page.evaluate('performance.now = ((now) => () => now() + 8 * 3_600_000)(performance.now.bind(performance))');
      await route.continue();
    });

    apiQueries.deliveryList = [delivery('d2', { text: 'second' })];
    apiQueries.emit({ kind: 'delivery', item: delivery('d2') });
    await page.getByText('second').waitFor();
    apiQueries.deliveryList = [delivery('d3', { text: 'third' })];
    apiQueries.emit({ kind: 'delivery', item: delivery('d3') });
    await page.getByText('third').waitFor();

    expect(Math.max(...(await waits()))).toBeLessThanOrEqual(60_000);
  });

  test('updates the view after a request that never gets an answer', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    await withShortWaits(page);
    const endLimit = await withOwnLimit(page);
    const held = await holdRequest(page, '**/api/deliveries?*');

    apiQueries.emit({ kind: 'delivery', item: delivery('d1') });
    expect((await held()).method()).toBe('GET');
    apiQueries.deliveryList = [delivery('d2', { text: 'second' })];
    apiQueries.emit({ kind: 'delivery', item: delivery('d2') });
    await endLimit();

    await page.getByText('second').waitFor();
  });

  test('says that a server does not answer whose connection is still open, and goes on when it answers', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    await withShortWaits(page);
    const endLimit = await withOwnLimit(page);
    await opened.stop();
    await opened.start();
    await page.waitForRequest('**/healthz');
    await page.locator('#connection[data-state="live"]').waitFor();

    await page.route('**/api/events*', (route) => route.abort());
    const held = await holdRequest(page, '**/healthz');
    await held();
    await endLimit();
    await page.getByRole('status').getByText('Connection lost, reconnecting…').waitFor();
    apiQueries.deliveryList = [delivery('d2', { text: 'second' })];
    await page.unroute('**/api/events*');

    await page.getByText('second').waitFor();
    expect(await page.locator('#connection').textContent()).toBe('Live');
  });

  test.for([
    ['blocks this path', { status: 404, contentType: 'text/html', body: '<h1>Not found</h1>' }],
    ['has its own sign-in', { status: 302, headers: { location: 'https://sign-in.example/' } }],
  ] as const)('stays if the check is answered by a proxy that %s', async ([, answer]) => {
    await using opened = await open();
    const { page } = opened;
    await page.locator('#connection[data-state="live"]').waitFor();
    const connections: string[] = [];
    page.on('request', (request) => request.url().includes('/api/events') && connections.push(request.url()));
    await page.route('**/healthz', (route) => route.fulfill(answer));
    await withShortWaits(page);

    await opened.stop();
    await opened.start();
    await page.waitForRequest('**/healthz');
    await page.locator('#connection[data-state="live"]').waitFor();
    const before = connections.length;
    for (let check = 0; check < 3; check++) await page.waitForRequest('**/healthz');

    expect(connections.length).toBe(before);
    expect(await page.locator('#connection').textContent()).toBe('Live');
  });

  test('says in the demonstration that the session has ended', async () => {
    const served = { apiQueries: new FakeApiQueries(), operations: noOperations, sandboxOrigin: 'http://127.0.0.1:1' };
    await using opened = await openPage(browser, '/demo', served, { locale: 'de-DE' });
    const { page } = opened;
    await page.route(/\/api\/(?:session|events)(?:\?|$)/u, (route) => route.fulfill({ status: 401, json: { status: 401 } }));

    await opened.stop();
    await opened.start();

    await page.getByRole('status').getByText('Die Anmeldung ist abgelaufen.').waitFor();
    expect(await page.locator('#connection').getAttribute('data-state')).toBe('lost');
  });

  test('updates a part of the demonstration after a request that never gets an answer', async () => {
    const apiQueries = new FakeApiQueries();
    const served = { apiQueries, operations: noOperations, sandboxOrigin: 'http://127.0.0.1:1' };
    await using opened = await openPage(browser, '/demo', served);
    const { page } = opened;
    const endLimit = await withOwnLimit(page);
    const held = await holdRequest(page, '**/demo/posts');

    apiQueries.emit({ kind: 'posts' });
    await held();
    apiQueries.timeline = [post('second')];
    apiQueries.emit({ kind: 'posts' });
    await endLimit();

    await page.locator('[data-key="sandbox:second"]').waitFor();
    expect(opened.errors).toEqual([]);
  });
});

/** Keeps requests of the page until the returned function ends them, as the limit of a minute does. A short limit would end requests on a busy machine. */
async function withOwnLimit(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(`const limits = (globalThis.limits = []);
    AbortSignal.timeout = () => { const limit = new AbortController(); limits.push(limit); return limit.signal; };`);
  return () => page.evaluate<void>('limits.forEach((limit) => limit.abort())');
}

/**
 * Gives no answer to the next request to an address. Resolves with a function that waits for it. The page also sends requests without an
 * event, and one of them may be held instead.
 */
async function holdRequest(page: Page, address: string): Promise<() => Promise<Request>> {
  const { promise, resolve } = Promise.withResolvers<Request>();
  await page.route(address, (route) => resolve(route.request()), { times: 1 });
  return () => promise;
}

/** Makes all waits of the page last 50 ms at most. Returns a function that reads their real lengths. */
async function withShortWaits(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(`const later = setTimeout, waits = (globalThis.waits = []);
    globalThis.setTimeout = (run, ms = 0) => (waits.push(ms), later(run, Math.min(ms, 50)));`);
  return () => page.evaluate<readonly number[]>('waits');
}
