import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { ItemExplanation } from '#src/admin/queries/explain-item.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { openStore } from '#src/store/store.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { decisionAbout, explanationOf } from '../support/item-explanation.ts';
import { noOperations } from '../support/operations.ts';
import { storedDelivery } from '../support/stored-delivery.ts';
import { decision, delivery, NOW, rule, ruleDetails } from '../support/view-records.ts';
import { ATTACK, flawsOf, openPage, PRESSES, SIZED_PRESSES, SIZES, type OpenedPage, type OpenPageOptions } from './open-page.ts';

const PATHS = [
  '/overview',
  '/why',
  '/why?q=Ada',
  '/why?q=nobody',
  '/deliveries',
  '/deliveries?state=unknown&text=x',
  '/deliveries/d2',
  '/rules/top',
] as const;

interface Opened extends OpenedPage {
  readonly apiQueries: FakeApiQueries;
  /** The inputs of the actions. */
  readonly acts: readonly object[];
  /** What the rules know about every name but `nobody`. */
  explanation: ItemExplanation;
}

describe.runIf(hasChromium)('the apiQueries in a browser', () => {
  const browser = useChromium();

  async function open(path: string, options: OpenPageOptions = {}): Promise<Opened> {
    const apiQueries = new FakeApiQueries();
    apiQueries.ruleList = [rule('top')];
    apiQueries.statusChanges = { nextRuns: [{ rule: 'top', at: NOW }] };
    apiQueries.decisionList = [decision({ outcome: 'suppressed', item: 'twitch/7', message: ATTACK })];
    apiQueries.deliveryList = [
      delivery('d1', { rule: 'top', item: { key: 'twitch/1202584', name: 'Ada' }, text: ATTACK }),
      delivery('d2', { state: 'unknown', account: 'x', message: ATTACK }),
    ];
    const acts: object[] = [];
    let isResolved = false;
    let explanation = explanationOf('Ada');
    const explainItem = (name: string): Promise<ItemExplanation> =>
      Promise.resolve(name === 'nobody' ? explanationOf(name, { keys: [], rules: [], gone: [] }) : { ...explanation, name });
    const operations: Operations = {
      ...noOperations,
      queries: {
        ...noOperations.queries,
        explainItem,
        revision: () => Promise.resolve('r1'),
        details: (id) => Promise.resolve(ruleDetails(id, { source: ATTACK })),
        views: () => Promise.resolve(apiQueries.ruleList),
      },
      repeatedRequests: (await openStore()).repeatedRequests,
      findDelivery: (id) => Promise.resolve(storedDelivery({ id, state: isResolved ? 'sent' : 'unknown', account: 'x', message: ATTACK })),
      actions: {
        ...noOperations.actions,
        pauseRule(input) {
          acts.push(input);
          const { from, until } = input;
          const plannedPauses = from && [{ at: NOW, by: 'ada', from, until }];
          apiQueries.ruleList = [rule('top', plannedPauses ? { plannedPauses } : { paused: { at: NOW, by: 'ada' } })];
          return Promise.resolve({ rules: ['top'], changed: ['top'] });
        },
        resumeRule(input) {
          acts.push(input);
          apiQueries.ruleList = [rule('top')];
          return Promise.resolve({ rules: ['top'], changed: ['top'] });
        },
        resolveDelivery(input) {
          acts.push(input);
          isResolved = true;
          apiQueries.deliveryList = apiQueries.deliveryList.map((one) => (one.id === 'd2' ? { ...one, state: 'sent' } : one));
          return Promise.resolve(storedDelivery({ id: 'd2', state: 'sent' }));
        },
      },
    };
    const opened = await openPage(browser(), path, { apiQueries, operations }, options);
    return {
      ...opened,
      apiQueries,
      acts,
      get explanation() {
        return explanation;
      },
      set explanation(next) {
        explanation = next;
      },
    };
  }

  test.for(PATHS)('axe finds nothing serious, nothing is wider than the window, and paper has no controls: %s', async (path) => {
    await using opened = await open(path);
    const { page } = opened;
    expect(await flawsOf(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav, button, input, select').filter({ visible: true }).count()).toBe(0);
    expect(opened.errors).toEqual([]);
  });

  test.for([
    [
      'with the mouse',
      async (page: Page) => {
        await page.getByRole('searchbox', { name: 'Why was this streamer not announced?' }).click();
        await page.keyboard.type('Ada');
        await page.getByRole('button', { name: 'Search' }).click();
      },
    ],
    [
      'with the keyboard',
      async (page: Page) => {
        const field = page.getByRole('searchbox', { name: 'Why was this streamer not announced?' });
        for (let presses = 0; presses < 40 && !(await field.evaluate((one) => one.matches(':focus'))); presses++)
          await page.keyboard.press('Tab');
        await page.keyboard.type('Ada');
        await page.keyboard.press('Enter');
      },
    ],
  ] as const)('the overview leads to the answer %s', async ([, search]) => {
    await using opened = await open('/overview');
    const { page } = opened;

    await search(page);

    await page.waitForURL(/\/why\?q=Ada$/u);
    expect(await page.getByRole('region', { name: 'Rule top' }).textContent()).toContain('cooldown');
    expect(await page.getByRole('region', { name: 'Rule old' }).textContent()).toContain('deleted');
  });

  test('a decision appears without a reload, and the focus stays', async () => {
    await using opened = await open('/why?q=Ada');
    const { page, apiQueries } = opened;
    await page.getByRole('searchbox').fill('Grace');
    opened.explanation = explanationOf('Ada', {
      gone: [],
      rules: opened.explanation.rules.map((one) => ({
        ...one,
        decisions: [decisionAbout(0, { outcome: 'fired', message: 'entered at #2' })],
      })),
    });

    apiQueries.emit({ kind: 'decision', item: decision({ rule: 'top', outcome: 'fired' }) });

    await page.getByText('entered at #2').waitFor();
    expect(await page.getByRole('region', { name: 'Rule old' }).count()).toBe(0);
    expect(await page.getByRole('searchbox').inputValue()).toBe('Grace');
    expect(await page.getByRole('searchbox').evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(opened.errors).toEqual([]);
  });

  test('a lost connection is shown, and the view catches up', async () => {
    await using opened = await open('/why?q=Ada');
    const { page } = opened;
    const connection = page.locator('#connection');

    await opened.stop();
    await connection.and(page.locator('[data-state="lost"]')).waitFor();
    opened.explanation = explanationOf('Ada', { rules: [] });
    await opened.start();

    await connection.and(page.locator('[data-state="live"]')).waitFor();
    await page.getByRole('region', { name: 'Rule top' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('region', { name: 'Rule old' }).count()).toBe(1);
  });

  test('times are in the time zone of the reader, and their titles are relative', async () => {
    await using opened = await open('/why?q=Ada');
    const time = opened.page.locator('.history time').first();

    expect(await time.textContent()).toMatch(/^20 Nov, \d\d:\d\d:00$/u);
    expect(await time.getAttribute('title')).toMatch(/ago$/u);
  });

  test('the next runs of a rule are whole in a narrow window', async () => {
    await using opened = await open('/rules/top', { locale: 'de-DE' });
    const { page } = opened;
    await page.setViewportSize({ width: 320, height: 640 });
    const runs = page.locator('details', { has: page.locator('ol time') });
    await runs.locator('summary').click();

    const [run, panel] = [await runs.locator('time').first().boundingBox(), await runs.boundingBox()];
    expect((run?.x ?? 0) + (run?.width ?? 0)).toBeLessThanOrEqual((panel?.x ?? 0) + (panel?.width ?? 0));
  });

  test('keys lead to the search, to the pages and to their list', async () => {
    await using opened = await open('/why?q=Ada');
    const { page } = opened;

    await page.keyboard.press('/');
    expect(await page.getByRole('searchbox').evaluate((one) => one.matches(':focus'))).toBe(true);
    await page.keyboard.press('o');
    expect(page.url()).toContain('/why');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog', { name: 'Keys' }).textContent()).toContain('Overview');
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    await page.waitForURL(/\/overview$/u);
  });

  test('the skip link leads to the content', async () => {
    await using opened = await open('/why');
    await opened.page.keyboard.press('Tab');
    await opened.page.keyboard.press('Enter');

    await opened.page.waitForURL('**/why#view');
    expect(await opened.page.locator('#view').evaluate((one) => one.matches(':focus'))).toBe(true);
  });

  test('markup of platforms stays text, also after an update', async () => {
    await using opened = await open('/why?q=Ada');
    const { page, apiQueries } = opened;
    opened.explanation = explanationOf(ATTACK, {
      rules: opened.explanation.rules.map((one) => ({ ...one, decisions: [decisionAbout(0, { message: ATTACK })] })),
    });
    apiQueries.emit({ kind: 'decision', item: decision() });

    await page.getByText(ATTACK, { exact: true }).first().waitFor();
    expect(await page.title()).toBe('Why: Ada · Fanfare');
    expect(await page.locator('#view img').count()).toBe(0);
  });

  test.for(['/deliveries', '/deliveries/d2'].flatMap((path) => SIZED_PRESSES.map((one) => ({ path, ...one }))))(
    'an unknown delivery is resolved $how on $path, $size.width pixels wide',
    async ({ path, size, press }) => {
      await using opened = await open(path, { size });
      const { page } = opened;

      await press(page.getByRole('button', { name: 'It was sent' }));

      await page.getByRole('alert').getByText('counts as sent.').waitFor();
      await page.getByRole('button', { name: 'It was sent' }).waitFor({ state: 'detached' });
      expect(opened.acts).toEqual([{ delivery: 'd2', resolution: 'sent' }]);
      expect(opened.errors).toEqual([]);
    },
  );

  test('the effect of an action is shown at once, even after an answer that took long', async () => {
    await using opened = await open('/deliveries/d2');
    const { page, apiQueries } = opened;
    await page.route(
      '**/api/deliveries/d2',
      async (route) => {
        await page.evaluate('performance.now = ((now) => () => now() + 3_600_000)(performance.now.bind(performance))');
        await route.continue();
      },
      { times: 1 },
    );
    const slow = page.waitForResponse('**/api/deliveries/d2');
    apiQueries.emit({ kind: 'delivery', item: delivery('d2') });
    await (await slow).finished();

    await page.getByRole('button', { name: 'It was sent' }).click();

    await page.getByRole('button', { name: 'It was sent' }).waitFor({ state: 'detached', timeout: 30_000 });
    expect(opened.acts).toEqual([{ delivery: 'd2', resolution: 'sent' }]);
  });

  test.for(PRESSES)('a rule is paused $how, and a second press does not resume it', async ({ how, press }) => {
    await using opened = await open('/overview');
    const { page } = opened;
    await page.getByRole('link', { name: 'top', exact: true }).click();
    await page.waitForURL(/\/rules\/top$/u);
    await page.locator('#connection[data-state="live"]').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && requests.push(new URL(request.url()).pathname));
    const pause = page.getByRole('button', { name: 'Pause top' });
    const place = (await pause.boundingBox()) ?? { x: 0, y: 0 };

    await press(pause);
    await page.getByText('ada paused it').waitFor();
    expect(await pause.evaluate((one) => one.matches(':focus'))).toBe(true);
    // The person does not look for the button.
    await (how === 'with the mouse' ? page.mouse.click(place.x + 5, place.y + 5) : page.keyboard.press('Enter'));
    expect(await pause.getAttribute('aria-disabled')).toBe('true');
    await press(page.getByRole('button', { name: 'Resume top' }));
    await page.getByText('ada paused it').waitFor({ state: 'detached' });

    expect(requests).toEqual(['/api/rules/top/pause', '/api/rules/top/resume']);
  });

  test('a new delivery appears without a reload', async () => {
    await using opened = await open('/deliveries');
    const { page, apiQueries } = opened;
    const item = delivery('fresh', { text: 'Grace is live' });
    apiQueries.deliveryList = [item, ...apiQueries.deliveryList];

    apiQueries.emit({ kind: 'delivery', item });

    await page.getByText('Grace is live').waitFor();
    expect(await page.locator('.delivery-list li').count()).toBe(3);
    // The dot after it is no part of its name.
    expect(await page.getByRole('link', { name: item.rule, exact: true }).count()).toBeGreaterThan(0);
  });

  test('without JavaScript, the search and the history work', async () => {
    await using opened = await open('/why', { javaScriptEnabled: false, size: SIZES[1] });
    const { page } = opened;

    await page.getByRole('searchbox').fill('Ada');
    await page.getByRole('button', { name: 'Search' }).click();

    expect(await page.getByRole('region', { name: 'Rule top' }).textContent()).toContain('cooldown');
  });
});
