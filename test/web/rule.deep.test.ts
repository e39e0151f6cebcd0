import { describe, expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { rulesIn } from '../engine/simulation/replay/replay-fixture.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { noOperations } from '../support/operations.ts';
import { episode, NOW, rule, ruleDetails } from '../support/view-records.ts';
import {
  ATTACK,
  flawsOf,
  openPage,
  overflowOf,
  PRESSES,
  seriousFindings,
  SIZES,
  type OpenedPage,
  type OpenPageOptions,
} from './open-page.ts';

const RULE = `id: top
when: { every: 1m, watch: streaming.getGameStreams, with: { game: Chess } }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`;

interface Opened extends OpenedPage {
  /** The inputs of the actions. */
  readonly acts: readonly object[];
}

describe.runIf(hasChromium)('the view of a rule in a browser', () => {
  const browser = useChromium();

  async function open(options: OpenPageOptions): Promise<Opened> {
    const apiQueries = new FakeApiQueries();
    apiQueries.ruleList = [rule('top')];
    apiQueries.episodeList = [
      episode('1', { phase: 'pending', openedMs: undefined, announced: false }),
      episode('2', { announced: false, suppressedBy: ATTACK.repeat(3), item: { owner: { displayName: ATTACK.repeat(3) } } }),
      episode('3', { phase: 'closing', missingSinceMs: NOW.getTime() - 600_000 }),
      episode('4', { openedMs: NOW.getTime() - 5_400_000 }),
    ];
    const acts: object[] = [];
    const operations: Operations = {
      ...noOperations,
      queries: {
        ...noOperations.queries,
        revision: () => Promise.resolve('r1'),
        details: (id) => Promise.resolve(ruleDetails(id, { source: ATTACK })),
        views: () => Promise.resolve(apiQueries.ruleList),
      },
      repeatedRequests: (await openStore()).repeatedRequests,
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
        testRule(input) {
          acts.push(input);
          const cases = [{ rule: 'top', passed: false, print: () => ATTACK }];
          return Promise.resolve({ passed: false, cases, untested: [], simulatedAccounts: [], diagnostics: [] });
        },
        replayRule(input) {
          acts.push(input);
          const position = { id: 'card', section: 'then', number: 1 } as const;
          const event = { about: ATTACK, position, do: 'discord.send', account: 'discord', at: NOW } as const;
          const events = [
            { ...event, kind: 'other', actual: [ATTACK, 'then'], expected: [ATTACK, 'now'] },
            { ...event, kind: 'more', expected: [ATTACK.repeat(4)] },
            { ...event, kind: 'fewer', actual: [ATTACK] },
            { ...event, kind: 'same', actual: [ATTACK], expected: [ATTACK] },
          ] as const;
          const slots = { count: 10_000, first: NOW, last: NOW, isWarm: true };
          const rest = {
            timezone: 'UTC',
            since: NOW,
            endedAt: NOW,
            startsEmpty: [],
            paused: 0,
            missingNames: [ATTACK],
            changedLists: [ATTACK],
            pausedIsMinimum: false,
            answersFirst: false,
            failed: 0,
            edits: { expected: 1, actual: 2 },
          };
          const [of] = rulesIn([RULE]);
          if (!of) throw new Error('the rule has errors');
          return Promise.resolve({ views: [{ rule: of, slots, events, ...rest }], diagnostics: [] });
        },
      },
    };
    return { ...(await openPage(browser(), '/rules/top', { apiQueries, operations }, options)), acts };
  }

  test('axe finds nothing serious in the chart of episodes, which is as wide as the page', async () => {
    await using opened = await open({});
    const { page } = opened;

    for (const size of SIZES) {
      await page.setViewportSize(size);
      const chart = await page.locator('svg.episodes').first().boundingBox();
      expect(chart?.width).toBeGreaterThan(size.width / 2);
    }
    expect(await page.locator('svg.episodes').first().locator('rect').count()).toBe(7);
    expect(await page.getByRole('region', { name: 'Episodes' }).textContent()).toContain(ATTACK);
    expect(await flawsOf(page)).toEqual([]);
    expect(opened.errors).toEqual([]);
  });

  test.for([
    { locale: 'en-GB', button: 'Run its tests', outcome: 'The rule has no tests, so none ran.' },
    { locale: 'de', button: 'Tests ausführen', outcome: 'Die Regel hat keine Tests, also lief keiner.' },
  ])('the tests of a rule without tests do not count as run, $locale', async ({ locale, button, outcome }) => {
    await using opened = await open({ locale });
    const { page } = opened;
    const answer = { passed: false, cases: [], untested: ['top'], simulatedAccounts: [], diagnostics: [] };
    await page.route('**/api/rules/top/test', (route) => route.fulfill({ json: answer }));

    await page.getByRole('button', { name: button }).click();

    await page.locator('[data-answer]').waitFor();
    expect(await page.locator('#outcome').innerText()).toBe(outcome);
    expect(await page.locator('#outcome p').getAttribute('data-tone')).toBe('bad');
  });

  test.for(PRESSES)('the tests of a rule run $how, and the focus moves to their result', async ({ press }) => {
    await using opened = await open({ size: SIZES[1] });
    const { page } = opened;

    await press(page.getByRole('button', { name: 'Run its tests' }));

    const result = page.locator('[data-answer]');
    await result.waitFor();
    expect(await result.innerText()).toContain(ATTACK);
    await page.locator('[data-answer]:focus').waitFor();
    expect(await page.locator('#outcome').innerText()).toBe('Not all tests passed. Nothing was sent.');
    expect(await page.locator('#outcome p').getAttribute('data-tone')).toBe('bad');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect([opened.acts, opened.errors]).toEqual([[{ rule: 'top' }], []]);
  });

  test('with the keyboard alone, an edited rule is replayed, and the texts are side by side', async () => {
    await using opened = await open({});
    const { page } = opened;
    const summary = page.locator('summary', { hasText: 'Edit the rule for the replay' });
    const source = page.getByLabel('YAML of the replay');

    await page.getByLabel('Period').focus();
    await page.keyboard.press('ArrowUp');
    await summary.focus();
    await page.keyboard.press('Enter');
    await source.focus();
    await page.keyboard.type('# edited');
    await page.getByRole('button', { name: 'Replay top' }).focus();
    await page.keyboard.press('Enter');

    const result = page.locator('[data-answer]');
    await result.waitFor();
    await page.locator('[data-answer]:focus').waitFor();
    expect(await result.locator('ins').allInnerTexts()).toEqual([expect.stringContaining('now')]);
    expect(await result.locator('del').allInnerTexts()).toEqual([expect.stringContaining('then')]);
    expect(await source.inputValue()).toContain('# edited');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const [then, now] = await Promise.all([result.locator('dd').nth(0).boundingBox(), result.locator('dd').nth(1).boundingBox()]);
      expect((then?.y ?? 0) === (now?.y ?? 1)).toBe(size.width > 1000);
    }
    expect(await flawsOf(page)).toEqual([]);
    expect([opened.acts, opened.errors]).toEqual([[{ rule: 'top', since: '6h', source: expect.stringContaining('# edited') }], []]);
  });

  test('a result that is longer than the window has a name and is shown from its beginning', async () => {
    await using opened = await open({ size: SIZES[1] });
    const { page } = opened;

    await page.getByRole('button', { name: 'Replay top' }).click();

    const result = page.getByRole('group', { name: 'Replay' });
    await expect.poll(() => result.evaluate((one) => one.matches(':focus'))).toBe(true);
    const { y, height } = (await result.boundingBox()) ?? { y: -1, height: 0 };
    expect([y > -1 && y < SIZES[1].height / 2, height > SIZES[1].height]).toEqual([true, true]);
    expect(opened.errors).toEqual([]);
  });

  test('after another action, a pause whose answer was lost is done again', async () => {
    await using opened = await open({});
    const { page, acts } = opened;
    let isLost = false;
    let running: string | null = null;
    await page.route('**/api/rules/top/pause', async (route) => {
      running ??= await page.getByRole('alert').textContent();
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch({ headers: { ...route.request().headers(), 'sec-fetch-site': 'same-origin' } });
      return route.abort();
    });

    await page.getByRole('button', { name: 'Pause top', exact: true }).click();
    await page.getByRole('alert').getByText('did not answer').waitFor();
    await page.getByRole('button', { name: /^Resume top/u }).click();
    await page.getByRole('alert').getByText('top runs again.').waitFor();
    await page.getByRole('button', { name: 'Pause top', exact: true }).click();
    await page.getByRole('alert').getByText('top is paused.').waitFor();

    expect(running).toBe('Pause top: in progress…');
    expect(acts).toHaveLength(3);
  });

  test('the page offers to try again only as long as a repeat is not done twice', async () => {
    await using opened = await open({});
    const { page } = opened;
    await page.evaluate(
      'const later = setTimeout; globalThis.setTimeout = (run, ms) => (ms === 60_000 ? (globalThis.expire = run) : later(run, ms))',
    );
    const keys = new Set<string | undefined>();
    // A server error keeps the key too: see `src/web/api/idempotency.ts`.
    await page.route('**/api/rules/top/pause', async (route) => {
      keys.add(route.request().headers()['idempotency-key']);
      await (keys.size === 1 && attempts++ > 0
        ? route.abort()
        : route.fulfill({ status: 503, json: { code: 'databaseUnavailable', detail: 'It is down.' } }));
    });
    let attempts = 0;
    const pause = page.getByRole('button', { name: 'Pause top', exact: true });

    await pause.click();
    await page.getByRole('alert').getByText('It is down.').waitFor();
    await pause.click();
    await page.getByRole('alert').getByText('Try again: it is not done twice.').waitFor();
    expect(keys.size).toBe(1);
    await page.evaluate('expire()');
    await page.getByRole('alert').getByText('Look whether it is done before you repeat it.').waitFor();
    expect(await page.getByRole('alert').textContent()).not.toContain('twice');
    await pause.click();

    await expect.poll(() => keys.size).toBe(2);
  });

  test('while the tests of a rule run, it can be paused, and the focus stays where the person is', async () => {
    await using opened = await open({});
    const { page, acts } = opened;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/rules/top/test', async (route) => {
      await promise;
      await route.continue();
    });
    const run = page.getByRole('button', { name: 'Run its tests' });
    await run.click();
    expect(await run.getAttribute('aria-disabled')).toBe('true');
    // A second press of a running action does nothing.
    await run.press('Enter');

    await page.getByRole('button', { name: 'Pause top', exact: true }).click();
    await page.getByRole('alert').getByText('top is paused.').waitFor();
    await page.getByRole('link', { name: 'Overview' }).focus();
    resolve();

    await page.locator('[data-answer]').waitFor();
    await page.locator('#outcome [data-tone="bad"]').waitFor();
    expect(await page.getByRole('link', { name: 'Overview' }).evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(acts).toEqual([{ rule: 'top' }, { rule: 'top' }]);
  });

  test('an action without an answer ends after a minute', async () => {
    await using opened = await open({});
    const { page } = opened;
    await page.evaluate(
      'AbortSignal.timeout = (ms) => (globalThis.limitMs = ms, AbortSignal.abort(new DOMException("late", "TimeoutError")))',
    );

    await page.getByRole('button', { name: 'Pause top', exact: true }).click();

    await page.getByRole('alert').getByText('did not answer').waitFor();
    expect(await page.evaluate('limitMs')).toBe(60_000);
  });

  test('a pause is planned in the zone of the browser, only with a begin, and can be cancelled', async () => {
    await using opened = await open({ size: SIZES[1], timezoneId: 'Asia/Tokyo' });
    const { page, acts } = opened;
    await page.locator('summary', { hasText: 'Plan a pause of top' }).click();
    const from = page.getByLabel('From');
    const plan = page.getByRole('button', { name: 'Plan', exact: true });
    await plan.click();
    expect(await from.evaluate((one) => one.matches(':invalid'))).toBe(true);
    expect(acts).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await from.fill('2027-02-24T18:00');
    await page.getByLabel('Until').fill('2028-02-27T09:00');
    await page.keyboard.press('Enter');
    const cancel = page.getByRole('button', { name: 'Cancel planned pauses of top' });
    await cancel.waitFor();

    // The fields are done, and a focused one would open the keyboard of a phone.
    await expect.poll(() => from.isVisible()).toBe(false);
    expect(acts).toEqual([{ rule: 'top', from: new Date('2027-02-24T09:00Z'), until: new Date('2028-02-27T00:00Z') }]);
    const times = page.getByText('planned a pause from').locator('time');
    expect(await Promise.all((await times.all()).map((time) => time.getAttribute('datetime')))).toEqual([
      '2027-02-24T09:00:00.000Z',
      '2028-02-27T00:00:00.000Z',
    ]);
    // Far away, the year is not clear without being said.
    expect(await times.allTextContents()).toEqual(['24 Feb, 18:00:00', '27 Feb 2028, 09:00:00']);
    await cancel.click();
    await page.getByRole('alert').getByText('top has no planned pause now.').waitFor();
    await cancel.waitFor({ state: 'detached' });
    expect(acts.slice(1)).toEqual([{ rule: 'top', planned: true }]);
    expect(opened.errors).toEqual([]);
  });

  test('a begin in the past is refused, because the rule would be paused at once', async () => {
    await using opened = await open({ timezoneId: 'Asia/Tokyo' });
    const { page, acts } = opened;
    await page.locator('summary', { hasText: 'Plan a pause of top' }).click();
    const from = page.getByLabel('From');
    const localMinute = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().slice(0, 16);

    await from.fill(localMinute(NOW.getTime() - 60_000));
    await page.keyboard.press('Enter');
    expect(await from.evaluate((one) => one.matches(':invalid:focus'))).toBe(true);
    expect(acts).toEqual([]);

    await from.fill(localMinute(NOW.getTime() + 24 * 3_600_000));
    expect(await from.evaluate((one) => one.matches(':valid'))).toBe(true);
  });

  test('a year of five digits is refused before it is sent', async () => {
    await using opened = await open({});
    const { page } = opened;
    await page.locator('summary', { hasText: 'Plan a pause of top' }).click();
    const from = page.getByLabel('From');
    // People type a fifth digit by mistake.
    await from.evaluate((one) => one.setAttribute('value', '20271-02-24T18:00'));

    await page.getByRole('button', { name: 'Plan', exact: true }).click();

    expect(await from.evaluate((one) => one.matches(':invalid:focus'))).toBe(true);
    expect([opened.acts, opened.errors]).toEqual([[], []]);
  });
});
