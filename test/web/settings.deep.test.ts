import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createAccessActions } from '#src/admin/access/access-actions.ts';
import { openStore } from '#src/store/store.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';
import { NOW } from '../support/view-records.ts';
import { ATTACK, flawsOf, openPage, PRESSES, SIZED_PRESSES, type OpenedPage, type OpenPageOptions } from './open-page.ts';

const BY = { name: ATTACK, via: 'cli', role: 'admin' } as const;
const PASSWORD = 'correct horse battery';

interface Opened extends OpenedPage {
  /** The people with their roles. */
  people(): Promise<readonly string[]>;
  /** The texts of the tokens, as far as they are valid. */
  tokens(): Promise<readonly string[]>;
}

describe.runIf(hasChromium)('the settings in a browser', () => {
  const browser = useChromium();

  async function open(path: string, options: OpenPageOptions = {}): Promise<Opened> {
    await using stack = new AsyncDisposableStack();
    const clock = new ManualClock(NOW);
    const store = stack.use(await openStore({ clock }));
    const access = await store.openAccess();
    const passwords = { hash: (text: string) => Promise.resolve(`hash of ${text.length}`) };
    const actions = createAccessActions({ access, auditLog: store.auditLog, passwords, clock });
    await actions.addPerson({ name: 'Ada', role: 'admin', password: PASSWORD }, BY);
    await actions.addPerson({ name: 'Bob', role: 'viewer', password: PASSWORD }, BY);
    await actions.createToken({ name: ATTACK, scope: 'read' }, BY);
    const operations = {
      ...noOperations,
      actions: { ...noOperations.actions, ...actions },
      people: () => access.people.list(),
      tokens: () => access.apiTokens.list(),
      auditLog: store.auditLog,
      repeatedRequests: store.repeatedRequests,
    };
    const opened = stack.use(await openPage(browser(), path, { apiQueries: new FakeApiQueries(), operations }, options));
    const moved = stack.move();
    return {
      ...opened,
      people: async () => (await access.people.list()).map(({ name, role }) => `${name} ${role}`),
      tokens: async () =>
        (await access.apiTokens.list()).filter(({ revokedAt }) => !revokedAt).map(({ name, scope }) => `${name} ${scope}`),
      [Symbol.asyncDispose]: () => moved.disposeAsync(),
    };
  }

  test.for(['/settings', '/audit', '/audit?target=x'])(
    'axe finds nothing serious, and nothing is wider than the window: %s',
    async (path) => {
      await using opened = await open(path);
      const { page } = opened;
      for (const summary of await page.locator('summary').all()) await summary.click();

      expect(await flawsOf(page)).toEqual([]);
      expect(await page.title()).not.toBe('taken');
      expect(opened.errors).toEqual([]);
    },
  );

  test.for(SIZED_PRESSES)('the text of a new token is shown once, $how, $size.width pixels wide', async ({ size, press }) => {
    await using opened = await open('/settings', { size });
    const { page } = opened;
    const answers: string[] = [];
    page.on('request', (request) => answers.push(`${request.url()} ${request.headers()['idempotency-key'] ?? ''}`));

    await press(page.getByText('Create a token'));
    await page.getByLabel('What uses it').fill('ci');
    await page.getByLabel('Rights').selectOption('write');
    await press(page.getByRole('button', { name: 'Create', exact: true }));

    const secret = page.locator('.secret');
    await secret.waitFor();
    const text = (await secret.textContent()) ?? '';
    expect(text).toMatch(/^fanfare_\S{20,}$/u);
    await page.locator('[data-answer]:focus').waitFor();
    expect(await opened.tokens()).toContain('ci write');
    expect(page.url()).not.toContain(text);
    expect(answers.join('\n')).not.toContain(text);
    await page.reload();
    await page.locator('#connection[data-state="live"]').waitFor();
    expect(await page.content()).not.toContain(text);
    expect(opened.errors).toEqual([]);
  });

  test.for(PRESSES)('a person is added, changed and removed $how', async ({ press }) => {
    await using opened = await open('/settings');
    const { page } = opened;

    await press(page.getByText('Add a person'));
    const form = page.locator('form[data-operation=addPerson]');
    await form.getByLabel('Name').fill('Grace');
    await form.getByLabel('Password').fill(PASSWORD);
    await press(form.getByRole('button', { name: 'Add' }));
    const remove = page.getByRole('button', { name: 'Remove Grace' });
    await remove.waitFor();
    expect(await form.getByLabel('Password').inputValue()).toBe('');
    await page.getByLabel('Role of Grace', { exact: true }).selectOption('admin');
    await press(page.getByRole('button', { name: 'Change Role of Grace' }));
    await page.getByRole('button', { name: 'Remove Ada' }).waitFor();
    expect(await opened.people()).toContain('Grace admin');
    const changed = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await press(page.getByRole('button', { name: 'Change Role of Grace' }));
    await changed;
    await page.getByRole('alert').getByText('Grace has the new role.').waitFor();
    expect(await page.getByLabel('Role of Grace', { exact: true }).inputValue()).toBe('admin');

    await press(remove);
    await press(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
    expect(await opened.people()).toContain('Grace admin');
    await press(remove);
    await press(page.getByRole('dialog').getByRole('button', { name: 'Yes' }));
    await remove.waitFor({ state: 'detached' });

    expect(await opened.people()).toEqual(['Ada admin', 'Bob viewer']);
    await page.waitForFunction('document.activeElement !== document.body');
    expect(await page.locator(':focus').getAttribute('aria-labelledby')).toBe('people');
    expect(opened.errors).toEqual([]);
  });

  test.for([
    { locale: 'en-GB', text: 'Fanfare did not answer. Look whether it is done before you repeat it.' },
    { locale: 'de-DE', text: 'Fanfare hat nicht geantwortet. Vor einer Wiederholung nachsehen, ob es schon geschehen ist.' },
  ])('a lost answer to an action with a secret does not promise that a repeat is harmless: $locale', async ({ locale, text }) => {
    await using opened = await open('/settings', { locale });
    const { page } = opened;
    const form = page.locator('form[data-operation=addPerson]');
    await page.locator('details', { has: form }).locator('summary').click();
    await page.route('**/api/people', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await form.locator('[name=name]').fill('Grace');
    await form.locator('[name=password]').fill(PASSWORD);

    await form.getByRole('button').click();

    await page.locator('#outcome [data-tone="bad"]').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe(text);
  });

  test.for(PRESSES)('a token is revoked, and the log shows it, $how', async ({ press }) => {
    await using opened = await open('/settings');
    const { page } = opened;

    await press(page.getByRole('button', { name: /^Revoke/u }));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Yes' }));
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await opened.tokens()).toEqual([]);

    await press(page.getByRole('link', { name: 'Show the log of actions' }));
    await page.waitForURL(/\/audit$/u);
    await page.locator('#connection[data-state="live"]').waitFor();
    await page.getByRole('combobox', { name: /^Action/u }).selectOption('revokeToken');
    await press(page.getByRole('button', { name: 'Filter' }));
    await page.waitForURL(/action=revokeToken/u);
    expect(await page.locator('.rows li').count()).toBe(1);
    expect(await page.locator('.rows li').textContent()).toContain('revoke a token');
  });

  test.for([true, false])('the language is chosen, with JavaScript: %s', async (javaScriptEnabled) => {
    await using opened = await open('/settings', { javaScriptEnabled });
    const { page } = opened;
    const use: Locator = page.getByRole('button', { name: 'Use' });

    await page.getByLabel('Language').selectOption('de');
    await use.press('Enter');
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    await page.goto(new URL('/audit', page.url()).href);

    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Was Personen taten');
  });

  test('single keys can be turned off, and on again', async () => {
    await using opened = await open('/settings');
    const { page } = opened;
    const choice = page.getByRole('checkbox', { name: 'Single keys are shortcuts' });
    const keys = page.getByRole('dialog', { name: 'Keys' });
    const press = async () => {
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('?');
    };

    await choice.uncheck();
    await press();
    expect(await keys.count()).toBe(0);
    await page.reload();
    await page.locator('#connection[data-state="live"]').waitFor();
    expect(await choice.isChecked()).toBe(false);
    await press();
    expect(await keys.count()).toBe(0);
    await choice.check();
    await press();
    expect(await keys.count()).toBe(1);
  });

  test('a short password is refused with its reason', async () => {
    await using opened = await open('/settings');
    const { page } = opened;
    await page.getByText('New password of Bob').click();
    const form = page.locator('form[data-operation=changePassword]').nth(1);
    // The browser checks the length too.
    await page.evaluate('document.querySelectorAll("form").forEach((form) => (form.noValidate = true))');
    await form.getByLabel('New password').fill('short');

    await page.keyboard.press('Enter');

    await page.getByRole('alert').getByText('The password is too short').waitFor();
    expect(await form.getByLabel('New password').inputValue()).toBe('short');
  });

  test('the text of a new token stays after the next action', async () => {
    await using opened = await open('/settings');
    const { page } = opened;
    await page.getByText('Create a token').click();
    await page.getByLabel('What uses it').fill('ci');
    await page.keyboard.press('Enter');
    const secret = page.locator('.secret');
    const text = await secret.textContent();

    const end = page.getByRole('button', { name: 'End sessions of Bob' });
    await end.click();
    await page.getByRole('alert').getByText('Bob').waitFor();

    expect(await secret.textContent()).toBe(text);
    expect(await end.evaluate((one) => one.matches(':focus'))).toBe(true);
  });

  test('after Back, the chosen role of a person is the stored one, because another person can have this place by now', async () => {
    await using opened = await open('/settings');
    const { page } = opened;
    const role = page.getByLabel('Role of Bob');
    await role.selectOption('admin');
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.waitForURL('**/lists');

    await page.goBack();
    await page.locator('#connection[data-state="live"]').waitFor();

    expect(await role.inputValue()).toBe('viewer');
  });
});
