import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operations } from '#src/web/api/operations.ts';
import { hasChromium, launchChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { fakeLists, livingList } from '../support/fake-lists.ts';
import { noOperations } from '../support/operations.ts';
import { decision, rule, ruleDetails } from '../support/view-records.ts';
import { openPage, type OpenedPage } from './open-page.ts';

interface Opened extends OpenedPage {
  readonly apiQueries: FakeApiQueries;
  /** Changes the YAML of the rule, as another person does. */
  writeRule(text: string): void;
}

describe.runIf(hasChromium)('a text that a person types', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser.close());

  async function open(path: string): Promise<Opened> {
    const apiQueries = new FakeApiQueries();
    let source = 'id: top\n';
    apiQueries.ruleList = [rule('top')];
    apiQueries.decisionList = [decision({ rule: 'top' })];
    const operations: Operations = {
      ...noOperations,
      lists: fakeLists([livingList('team', { ada: { name: 'Ada' } })]),
      queries: {
        ...noOperations.queries,
        revision: () => Promise.resolve('r1'),
        details: (id) => Promise.resolve(apiQueries.ruleList.length > 0 ? ruleDetails(id, { source }) : undefined),
        views: () => Promise.resolve(apiQueries.ruleList),
      },
    };
    return { ...(await openPage(browser, path, { apiQueries, operations })), apiQueries, writeRule: (text) => void (source = text) };
  }

  test('stays if it is typed before the answer to the last one, and so does the focus', async () => {
    await using opened = await open('/lists');
    const { page } = opened;
    const answer = await holdBack(page, '**/api/lists/friends/entries', { change: { id: 'c1' }, created: true });
    await page.getByText('New list').click();
    await page.getByLabel('Name of the list').fill('friends');
    await page.getByLabel('First entry').fill('grace');
    await page.keyboard.press('Enter');

    await page.getByLabel('First entry').fill('lin');
    answer();
    await page.getByRole('alert').getByText('The list is created.').waitFor();
    await page.keyboard.type('us');

    expect(await page.getByLabel('Name of the list').inputValue()).toBe('friends');
    expect(await page.getByLabel('First entry').inputValue()).toBe('linus');
  });

  test('is sent, and each text once, if Enter is pressed before the answer to the last one', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;
    const sent: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/lists/team/entries', async (route) => {
      const { entries } = route.request().postDataJSON() as { readonly entries: readonly [{ readonly id: string }] }; // the page sends it
      sent.push(entries[0].id);
      await promise;
      if (entries[0].id === 'ada') await route.fulfill({ status: 409, json: { status: 409, code: 'refused', detail: 'Ada is there.' } });
      else await route.fulfill({ json: { change: { id: entries[0].id } } });
    });
    await page.getByText('Add another entry').click();
    const field = page.getByLabel('Id of the entry');

    for (const id of ['ada', 'grace', 'grace', 'linus']) {
      await field.fill(id);
      await page.keyboard.press('Enter');
    }
    resolve();

    await expect.poll(() => sent).toEqual(['ada', 'grace', 'linus']);
    await expect.poll(() => field.inputValue()).toBe('');
    expect(await page.getByRole('alert').locator('p').allTextContents()).toEqual([
      'Ada is there.',
      'The entry is in the list. Undo',
      'The entry is in the list. Undo',
    ]);
  });

  test('stays in its field after an entry was added, and no key leaves the page', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;
    await page.route('**/api/lists/team/entries', (route) => route.fulfill({ json: { change: { id: 'c1' } } }));
    await page.getByText('Add another entry').click();
    const field = page.getByLabel('Id of the entry');
    await field.fill('grace');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The entry is in the list.').waitFor();

    await page.keyboard.type('rosalind');

    expect(await field.inputValue()).toBe('rosalind');
    expect(new URL(page.url()).pathname).toBe('/lists/team');
  });

  test('stays in a rule that is edited during its replay, and no key leaves the page', async () => {
    await using opened = await open('/rules/top');
    const { page } = opened;
    const answer = await holdBack(page, '**/api/rules/top/replay', { replays: [], diagnostics: [] });
    const source = await editedSource(page);
    await page.getByRole('button', { name: 'Replay top' }).click();
    await source.focus();

    answer();
    await page.getByRole('alert').getByText('This is the replay.').waitFor();
    await page.locator('[data-answer]').waitFor({ state: 'attached' });
    await page.keyboard.type('record');

    expect(await source.inputValue()).toContain('record');
    expect(new URL(page.url()).pathname).toBe('/rules/top');
  });

  test('stays if the rule is deleted, and can be tried again when it is back', async () => {
    await using opened = await open('/rules/top');
    const { page, apiQueries } = opened;
    const rules = apiQueries.ruleList;
    const source = await editedSource(page);
    const typed = await source.inputValue();

    apiQueries.ruleList = [];
    apiQueries.emit({ kind: 'rules' });
    await page.getByText('deleted', { exact: true }).waitFor();
    expect(await source.inputValue()).toBe(typed);
    expect(await source.evaluate((one) => one.matches(':focus'))).toBe(true);
    apiQueries.ruleList = rules;
    apiQueries.emit({ kind: 'rules' });
    await page.getByText('deleted', { exact: true }).waitFor({ state: 'detached' });

    expect(await source.inputValue()).toBe(typed);
  });

  test('stays if another person changes the rule, and the page says that it does not have this change', async () => {
    await using opened = await open('/rules/top');
    const { page, apiQueries } = opened;
    const source = await editedSource(page);
    const typed = await source.inputValue();
    const notice = page.getByText('Somebody changed the rule');
    expect(await notice.count()).toBe(0);

    opened.writeRule('id: top\nabout: theirs\n');
    apiQueries.emit({ kind: 'rules' });
    await notice.waitFor();

    expect(await source.inputValue()).toBe(typed);
  });

  test('is visible after Back, so that no hidden text is replayed', async () => {
    await using opened = await open('/rules/top');
    const { page } = opened;
    page.on('dialog', (dialog) => void dialog.accept());
    const source = await editedSource(page);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.waitForURL('**/overview');

    await page.goBack();

    await source.waitFor();
    expect(await source.inputValue()).toContain('# edited');
  });

  test('is not cut without a word: a text that is too long is refused, with its place', async () => {
    await using opened = await open('/rules/top');
    const { page } = opened;
    const source = await editedSource(page);

    await source.fill('');
    await page.keyboard.insertText('語'.repeat(65_537));
    await page.getByRole('button', { name: 'Replay top' }).click();

    await page.getByRole('alert').getByText('It has errors: /source:').waitFor();
    expect((await source.inputValue()).length).toBe(65_537);
  });

  test('is not left by a key or a link without a question', async () => {
    await using opened = await open('/rules/top');
    const { page } = opened;
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    const source = await editedSource(page);
    const typed = await source.inputValue();

    await page.getByRole('button', { name: 'Replay top' }).focus();
    await page.keyboard.press('r');
    await expect.poll(() => questions).toEqual(['beforeunload']);
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => questions).toEqual(['beforeunload', 'beforeunload']);

    expect(await source.inputValue()).toBe(typed);
    await source.fill('id: top\n');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.waitForURL('**/overview');
    expect(questions).toHaveLength(2);
  });

  test.for([
    ['/lists/team', 'Add another entry', 'Id of the entry', 'grace'],
    ['/rules/top', 'Plan a pause', 'Until', '2030-01-02T03:04'],
    ['/settings', 'Create a token', 'What uses it', 'deploy'],
  ] as const)('is not left without a question if it is in a field of an action: %s', async ([path, summary, label, typed]) => {
    await using opened = await open(path);
    const { page } = opened;
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    await page.locator('summary', { hasText: summary }).click();
    const field = page.getByLabel(label, { exact: true });

    await field.fill(typed);
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => questions).toEqual(['beforeunload']);
    expect(await field.inputValue()).toBe(typed);

    await field.fill('');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.waitForURL('**/overview');
    expect(questions).toHaveLength(1);
  });

  test('is left without a question if it is in a filter or is not edited', async () => {
    await using opened = await open('/rules');
    const { page } = opened;
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.accept();
    });

    await page.getByRole('searchbox').fill('top');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.waitForURL('**/overview');

    expect(questions).toEqual([]);
  });

  test('has its undo again after a lost answer', async () => {
    await using opened = await open('/lists/team');
    const { page } = opened;
    const keys: (string | undefined)[] = [];
    await page.route('**/api/lists/team/entries', (route) => route.fulfill({ json: { change: { id: 'c1' } } }));
    await page.route('**/api/list-changes/c1/undo', (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      return keys.length === 1 ? route.abort() : route.fulfill({ json: { change: { id: 'c2' } } });
    });
    const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' });
    await page.getByRole('button', { name: 'Remove Ada' }).click();
    await undo.press('Enter');
    await page.getByRole('alert').getByText('Try again: it is not done twice.').waitFor();

    expect(await undo.evaluate((one) => one.matches(':focus'))).toBe(true);
    await undo.press('Enter');
    await page.getByRole('alert').getByText('The change is undone.').waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(await undo.count()).toBe(0);
  });
});

/** Keeps the answer to a request until the returned function is called. */
async function holdBack(page: Page, address: string, json: object): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.fulfill({ json });
  });
  return resolve;
}

/** Opens the text of the rule, and types into it. */
async function editedSource(page: Page) {
  await page.locator('summary', { hasText: 'Edit the rule for the replay' }).click();
  const source = page.getByLabel('YAML of the replay');
  await source.focus();
  await page.keyboard.type('# edited');
  return source;
}
