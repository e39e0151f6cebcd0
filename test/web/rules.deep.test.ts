import { describe, expect, test } from 'vitest';
import type { RuleView } from '#src/admin/queries/records.ts';
import { Refused } from '#src/errors.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { noOperations } from '../support/operations.ts';
import { decision, NOW, rule, settledDecision } from '../support/view-records.ts';
import { ATTACK, flawsOf, openPage, SIZED_PRESSES, SIZES, type OpenedPage, type OpenPageOptions } from './open-page.ts';

interface Opened extends OpenedPage {
  readonly apiQueries: FakeApiQueries;
  /** The paused and resumed rules, in order. */
  readonly acts: readonly string[];
}

describe.runIf(hasChromium)('the list of rules in a browser', () => {
  const browser = useChromium();

  async function open(path: string, options: OpenPageOptions = {}): Promise<Opened> {
    const apiQueries = new FakeApiQueries();
    const diagnostic = { severity: 'error', code: 'x', file: ATTACK, line: 4, column: 3, path: '', message: ATTACK, excerpt: '' } as const;
    apiQueries.ruleList = [
      rule('a', { announcements: [0, 1, 0, 2, 0, 0, 5], about: ATTACK, lastDecision: settledDecision({ message: ATTACK }) }),
      rule('b', { undelivered: { failed: 2, unknown: 1 }, lastUndelivered: 1 }),
      rule('locked'),
      rule('off', { on: false }),
      { id: ATTACK, file: ATTACK, enabled: true, on: false, diagnostics: [diagnostic] },
    ];
    const acts: string[] = [];
    const change = (id: string, changes: Partial<RuleView>) => {
      apiQueries.ruleList = apiQueries.ruleList.map((one) => (one.id === id ? { ...one, ...changes } : one));
      return Promise.resolve({ rules: [id], changed: [id] });
    };
    const operations: Operations = {
      ...noOperations,
      repeatedRequests: {
        claim: () => Promise.resolve(undefined),
        answered: () => Promise.resolve(new Set()),
        renew: () => Promise.resolve(),
        answer: () => Promise.resolve(),
        release: () => Promise.resolve(),
        forget: () => Promise.resolve(),
      },
      actions: {
        ...noOperations.actions,
        pauseRule({ rule: id }) {
          acts.push(`pause ${id}`);
          if (id === 'locked') return Promise.reject(new Refused('changed', 'Another person changed the rule.'));
          return change(id, { paused: { at: NOW, by: 'ada' } });
        },
        resumeRule({ rule: id }) {
          acts.push(`resume ${id}`);
          return change(id, { paused: undefined });
        },
      },
    };
    const opened = await openPage(browser(), path, { apiQueries, operations }, options);
    return { ...opened, apiQueries, acts };
  }

  const PATHS = ['/rules', '/rules?state=paused&text=x', '/rules?state=broken'].flatMap((path) =>
    (['en', 'de'] as const).map((locale) => ({ path, locale })),
  );

  test.for(PATHS)('axe finds nothing serious, and nothing is wider than the window: $path $locale', async ({ path, locale }) => {
    await using opened = await open(path, { locale });

    expect(await flawsOf(opened.page)).toEqual([]);
    expect(await opened.page.title()).not.toBe('taken');
    expect(opened.errors).toEqual([]);
  });

  test.for(SIZES)('the lines of an address in the file of a broken rule do not overlap, $width pixels wide', async (size) => {
    await using opened = await open('/rules', { size });
    const address = opened.page.getByRole('listitem').filter({ hasText: ':4:3' }).locator('code').first();

    const heights = await address.evaluate((code) => [...code.getClientRects()].map(({ height }) => height));

    expect(Math.min(...heights)).toBeGreaterThan(10);
  });

  test.for(SIZED_PRESSES)('selected rules are paused and resumed $how, $size.width pixels wide', async ({ size, press }) => {
    await using opened = await open('/rules', { size });
    const { page, acts } = opened;
    const pause = page.getByRole('button', { name: 'Pause the selected rules' });
    for (const name of ['a', 'b']) {
      const box = page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
      await box.focus();
      await page.keyboard.press('Space');
    }
    expect(await page.getByText('2 selected').count()).toBe(1);

    await press(pause);
    await page.getByRole('alert').getByText('2 rules paused.').waitFor();

    expect(acts).toEqual(['pause a', 'pause b']);
    expect(await pause.evaluate((one) => one.matches(':focus'))).toBe(true);
    await page.getByText('paused', { exact: true }).nth(1).waitFor();
    expect(await page.getByText('2 selected').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select b', exact: true }).check();
    await press(page.getByRole('button', { name: 'Resume the selected rules' }));
    await page.getByRole('alert').getByText('1 rule resumed.').waitFor();
    expect(acts.slice(2)).toEqual(['resume b']);
    expect(opened.errors).toEqual([]);
  });

  test('a resume that is pressed while the selected rules are paused resumes all of them', async () => {
    await using opened = await open('/rules');
    const { page, acts } = opened;
    const { promise: isContinued, resolve: continues } = Promise.withResolvers<void>();
    await page.route('**/api/rules/b/pause', async (route) => {
      await isContinued;
      await route.continue();
    });
    const pause = page.getByRole('button', { name: 'Pause the selected rules' });
    for (const name of ['a', 'b']) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();

    await pause.click();
    await page.getByRole('alert').getByText('1 of 2…').waitFor();
    // A second press of the same button changes nothing.
    await pause.press('Enter');
    await page.getByRole('button', { name: 'Resume the selected rules' }).click();
    continues();
    await page.getByRole('alert').getByText('2 rules resumed.').waitFor();

    expect(await page.getByRole('alert').getByText('2 rules paused.').count()).toBe(1);
    expect(acts).toEqual(['pause a', 'pause b', 'resume a', 'resume b']);
    expect(
      await page
        .getByText('selected', { exact: false })
        .filter({ hasText: /^\d+ selected$/u })
        .count(),
    ).toBe(0);
    expect(opened.errors).toEqual([]);
  });

  test('the result names the rules that were not changed, and they stay selected', async () => {
    await using opened = await open('/rules');
    const { page, acts } = opened;

    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Pause the selected rules' }).click();

    const result = page.getByRole('alert');
    await result.getByText('2 rules paused. 1 rule not changed: locked: Another person changed the rule.').waitFor();
    expect(acts).toEqual(['pause a', 'pause b', 'pause locked']);
    expect(await page.getByRole('checkbox', { name: 'Select locked' }).isChecked()).toBe(true);
    expect(await page.getByText('1 selected').count()).toBe(1);
  });

  test('after the end of the session, a link opens the sign-in, and the other rules stay selected', async () => {
    await using opened = await open('/rules');
    const { page, acts } = opened;
    await page.route('**/api/rules/{b,locked}/pause', (route) =>
      route.fulfill({ status: 401, json: { code: 'unauthenticated', detail: '' } }),
    );

    await page.getByRole('checkbox', { name: 'All on this page' }).check();
    await page.getByRole('button', { name: 'Pause the selected rules' }).click();

    await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe(
      'Your session has ended. Sign in again in another tab, then repeat it here. Sign in',
    );
    expect(await page.getByText('2 selected').count()).toBe(1);
    expect(acts).toEqual(['pause a']);
  });

  test('an action after another person signed in in the same browser is theirs, and the page names them', async () => {
    await using opened = await open('/rules');
    const { page, acts } = opened;
    await page.evaluate(`{ document.body.dataset.formToken = 'of ada';
      document.querySelector('header').insertAdjacentHTML('beforeend', '<form class="sign-out"><span>Ada</span></form>'); }`);
    await page.route('**/api/session', (route) =>
      route.fulfill({ json: { name: 'Bob', role: 'editor', signedInWith: 'password', csrfToken: 'of bob' } }),
    );
    await page.route('**/api/rules/a/pause', async (route) => {
      const isOfBob = route.request().headers()['x-csrf-token'] === 'of bob';
      await (isOfBob ? route.continue() : route.fulfill({ status: 403, json: { status: 403, code: 'forbidden', detail: '' } }));
    });

    await page.getByRole('checkbox', { name: 'Select a', exact: true }).check();
    await page.getByRole('button', { name: 'Pause the selected rules' }).click();

    await page.getByRole('alert').getByText('1 rule paused.').waitFor();
    expect([acts, await page.locator('.sign-out').textContent()]).toEqual([['pause a'], 'Bob']);
  });

  test('selected rules are paused at an address without HTTPS', async () => {
    await using opened = await open('/rules');
    const { page, acts } = opened;
    // Browsers offer it with HTTPS and on the loopback only.
    await page.evaluate('delete Crypto.prototype.randomUUID');

    await page.getByRole('checkbox', { name: 'Select a', exact: true }).check();
    await page.getByRole('button', { name: 'Pause the selected rules' }).click();

    await page.getByRole('alert').getByText('1 rule paused.').waitFor();
    expect(acts).toEqual(['pause a']);
  });

  test('nothing is sent without a selection', async () => {
    await using opened = await open('/rules', { locale: 'de' });
    const { page, acts } = opened;

    await page.getByRole('button', { name: 'Anhalten der ausgewählten Regeln' }).click();

    await page.getByRole('alert').getByText('Zuerst Regeln auswählen.').waitFor();
    expect(acts).toEqual([]);
  });

  test('an update keeps the selection and the typed search', async () => {
    await using opened = await open('/rules');
    const { page, apiQueries } = opened;
    await page.getByRole('checkbox', { name: 'Select b', exact: true }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('go');
    const decided = { rule: 'a', message: 'entered at #9' };
    const lastDecision = settledDecision(decided);
    apiQueries.ruleList = [rule('aa'), ...apiQueries.ruleList.map((one) => (one.id === 'a' ? { ...one, lastDecision } : one))];

    apiQueries.emit({ kind: 'decision', item: decision(decided) });

    await page.getByText('entered at #9').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select b', exact: true }).isChecked()).toBe(true);
    expect(await page.getByRole('searchbox').inputValue()).toBe('go');
    expect(opened.errors).toEqual([]);
  });

  test('with the keyboard alone, a reader finds a rule and opens it', async () => {
    await using opened = await open('/');
    const { page } = opened;

    await page.goto(new URL('/why', page.url()).href);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.keyboard.press('r');
    await page.waitForURL(/\/rules$/u);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('lock');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/rules\?text=lock&state=$/u);

    const link = page.getByRole('link', { name: 'locked' });
    for (let presses = 0; presses < 40 && !(await link.evaluate((one) => one.matches(':focus'))); presses++)
      await page.keyboard.press('Tab');
    expect(await link.evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await page.getByRole('row').count()).toBe(2);
  });

  test('without JavaScript, the filters work, and nothing can be selected', async () => {
    await using opened = await open('/rules', { javaScriptEnabled: false, size: SIZES[1] });
    const { page } = opened;

    await page.getByRole('searchbox').fill('locked');
    await page.getByRole('button', { name: 'Filter' }).click();
    // The style sheet, which hides the checkboxes, is loaded.
    await page.waitForURL(/text=locked/u);

    expect(await page.getByText('1 of 5 rules').count()).toBe(1);
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });

  test('after Back, no rule is selected, because another rule can have this place by now', async () => {
    await using opened = await open('/rules');
    const { page } = opened;
    const box = page.getByLabel('Select a', { exact: true });
    await box.check();
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.waitForURL('**/lists');

    await page.goBack();
    await page.locator('#connection[data-state="live"]').waitFor();

    expect(await box.isChecked()).toBe(false);
  });
});
