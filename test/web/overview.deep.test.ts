import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { StatusView } from '#src/admin/queries/status-answer.ts';
import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import { openStore } from '#src/store/store.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { Problem } from '#src/web/problem.ts';
import { hasChromium, useChromium } from '../support/chromium.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { noOperations } from '../support/operations.ts';
import { storedDelivery } from '../support/stored-delivery.ts';
import { delivery, minutesAgo, NOW, rule } from '../support/view-records.ts';
import { ATTACK, flawsOf, openPage, PRESSES, SIZED_PRESSES, type OpenedPage, type OpenPageOptions } from './open-page.ts';

const account = { account: 'x', platform: 'x', sandbox: true, state: 'connected', isRefused: false } as const;
const question = { delivery: 'q1', rule: 'vote', account: 'discord', name: 'Ada', text: ATTACK, choices: ['send', ATTACK], at: NOW };
const problem = {
  severity: 'error',
  code: 'x',
  file: 'rules/a.yaml',
  line: 4,
  column: 3,
  path: '',
  message: ATTACK,
  hint: ATTACK,
  excerpt: ATTACK,
} as const;

/** Something in every part of the overview, with hostile texts. */
const FULL: Partial<StatusView> = {
  readiness: { ready: true, message: ATTACK },
  accounts: [
    account,
    { ...account, account: ATTACK, platform: ATTACK, state: 'failed', problem: ATTACK.repeat(4), isRefused: true },
    { ...account, account: 'mastodon', state: 'failed', problem: 'HTTP 503', since: minutesAgo(9) },
  ],
  rules: { on: 3, paused: 1, broken: 1, version: { number: 3, publishedAt: NOW, by: ATTACK, note: ATTACK } },
  brokenFiles: [{ file: ATTACK, isRunning: false, diagnostics: [problem] }],
  channelProblems: [problem],
  questions: [question],
  nextRuns: [
    { rule: 'go', at: minutesAgo(-1) },
    { rule: ATTACK, at: minutesAgo(-90) },
  ],
  rateLimits: [{ account: 'x', leftRatio: 0.1 }],
  budgets: [{ account: ATTACK, spentUsd: 9, monthUsd: 10 }],
  delays: { count: 50, medianMs: 900, longestMs: 4_000 },
  live: [1, 2].map((id) => ({
    key: `twitch/${id}`,
    name: ATTACK,
    url: 'javascript:alert(1)',
    title: ATTACK.repeat(5),
    game: ATTACK,
    viewers: 12_345,
    startedAt: minutesAgo(95),
    announcements: [
      {
        delivery: `d7${id}`,
        rule: ATTACK,
        do: 'discord.put',
        account: ATTACK,
        url: 'https://discord.test/7',
        at: minutesAgo(2),
        changes: 1,
      },
    ],
  })),
};

/** Questions that are together higher than the window. */
const LONG = Array.from({ length: 12 }, (_, index) => `q${index}`);

/** For the page, the next press comes right after the last update. */
const NO_TIME_PASSES = 'performance.now = () => 5_000';

interface Opened extends OpenedPage {
  readonly apiQueries: FakeApiQueries;
  /** The actions that were requested. */
  readonly acts: readonly (readonly [action: string, input: object, via: string])[];
}

describe.runIf(hasChromium)('the overview in a browser', () => {
  const browser = useChromium();

  async function open(status: Partial<StatusView> = {}, options: OpenPageOptions = {}): Promise<Opened> {
    const apiQueries = new FakeApiQueries();
    apiQueries.statusChanges = status;
    apiQueries.ruleList = [rule('go', { paused: { at: NOW, by: 'ada (Discord)' } })];
    apiQueries.deliveryList = [
      delivery('d1', { state: 'unknown', account: 'x', message: ATTACK }),
      delivery('d2', { state: 'failed', account: 'x', text: ATTACK }),
      delivery('d3'),
    ];
    const acts: [string, object, string][] = [];
    const actions: Partial<Operations['actions']> = {
      resumeRule(input, by) {
        acts.push(['resumeRule', input, by.via]);
        apiQueries.ruleList = [rule('go')];
        return Promise.resolve({ rules: ['go'], changed: ['go'] });
      },
      resolveDelivery(input, by) {
        acts.push(['resolveDelivery', input, by.via]);
        apiQueries.deliveryList = apiQueries.deliveryList.map((one) => (one.id === 'd1' ? { ...one, state: 'pending' } : one));
        return Promise.resolve(storedDelivery({ id: 'd1', state: 'pending' }));
      },
      answerDelivery(input, by) {
        acts.push(['answerDelivery', input, by.via]);
        const questions = apiQueries.statusChanges.questions?.filter((one) => one.delivery !== input.delivery);
        apiQueries.statusChanges = { ...apiQueries.statusChanges, questions };
        const because = { kind: 'rulePaused', by: 'grace' } as const;
        const remark = input.delivery === 'paused' && withDeliveryMessage({ kind: 'nextStepsWithdrawn', because });
        return Promise.resolve({
          answered: storedDelivery({ id: 'q1', state: input.delivery === 'several' ? 'asked' : 'sent', ...remark }),
        });
      },
      resendDelivery(input, by) {
        acts.push(['resendDelivery', input, by.via]);
        throw new Problem({ status: 409, code: 'refused', detail: 'The rule <b>go</b> is paused.' });
      },
    };
    const { repeatedRequests } = await openStore();
    const operations = { ...noOperations, repeatedRequests, actions: { ...noOperations.actions, ...actions } };
    return { ...(await openPage(browser(), '/overview', { apiQueries, operations }, options)), apiQueries, acts };
  }

  test.for(['en-GB', 'de-DE'])('axe finds nothing serious, nothing is wider than the window, and texts stay texts: %s', async (locale) => {
    await using opened = await open(FULL, { locale });
    const { page } = opened;

    expect(await flawsOf(page)).toEqual([]);
    expect(await page.title()).toContain('Fanfare');
    expect(await page.locator('#view img').count()).toBe(0);
    expect(await page.locator('#view a[href^="javascript"]').count()).toBe(0);
    expect(opened.errors).toEqual([]);
  });

  test('a second press on an answered question does not answer the question that moves to its place', async () => {
    const questions = ['q1', 'q2'].map((id) => ({ ...question, delivery: id, name: id, text: 'Post it?' }));
    await using opened = await open({ questions });
    const { page, acts } = opened;
    const answer = (name: string) => page.getByRole('button', { name: `${question.choices[0]} (${name})` });
    const place = await placeOf(answer('q1'));
    await pressAtUpdate(page, place, { gone: ['q1'] });

    await page.mouse.click(place.clientX, place.clientY);
    await page.getByRole('alert').getByText('the page just changed').waitFor();

    expect(await page.evaluate('pressedAgain')).toContain('q2');
    expect(acts.map(([, input]) => input)).toEqual([{ delivery: 'q1', choice: question.choices[0] }]);
    // Later, a press is meant for the question that the person sees. Repeated presses could answer it twice, because its button stays until the update.
    await page.evaluate('performance.now = () => 6_000');
    await answer('q2').click();
    await answer('q2').waitFor({ state: 'detached' });
    expect(acts.map(([, input]) => input)).toEqual(['q1', 'q2'].map((delivery) => ({ delivery, choice: question.choices[0] })));
  });

  test.for([
    { how: 'a new question moves another one to the place', first: ['q1', 'q2'], then: ['new', 'q1', 'q2'], pressed: 'q1', moved: 'new' },
    { how: 'another person answers the question above', first: ['q1', 'q2', 'q3'], then: ['q2', 'q3'], pressed: 'q2', moved: 'q3' },
    { how: 'both happen at once', first: ['q1', 'q2', 'q3'], then: ['new', 'q1', 'q3'], pressed: 'q2', moved: 'q1' },
  ])('a press at the moment at which $how answers no question', async ({ first, then, pressed, moved }) => {
    const asked = (ids: readonly string[]) => ids.map((id) => ({ ...question, delivery: id, name: id, text: 'Post it?' }));
    await using opened = await open({ questions: asked(first) });
    const { page, acts, apiQueries } = opened;
    const place = await placeOf(page.getByRole('button', { name: `${question.choices[0]} (${pressed})` }));
    await pressAtUpdate(page, place, { shown: then, gone: first.filter((id) => !then.includes(id)) });

    apiQueries.statusChanges = { ...apiQueries.statusChanges, questions: asked(then) };
    apiQueries.emit({ kind: 'rules' });
    await page.waitForFunction('globalThis.pressedAgain');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('the page just changed');

    expect(await page.evaluate('pressedAgain')).toContain(moved);
    expect(acts).toEqual([]);
  });

  test('on a slow machine, a press during the update answers no question either', async () => {
    const asked = (ids: readonly string[]) => ids.map((id) => ({ ...question, delivery: id, name: id, text: 'Post it?' }));
    await using opened = await open({ questions: asked(['q1', 'q2']) });
    const { page, acts, apiQueries } = opened;
    await pressAtUpdate(page, await placeOf(page.getByRole('button', { name: `${question.choices[0]} (q1)` })), { shown: ['new'] });
    await page.evaluate(`{
      const insert = Node.prototype.insertBefore;
      Node.prototype.insertBefore = function (...added) { performance.now = () => 6_000; return insert.apply(this, added); };
    }`);

    apiQueries.statusChanges = { ...apiQueries.statusChanges, questions: asked(['new', 'q1', 'q2']) };
    apiQueries.emit({ kind: 'rules' });
    await page.waitForFunction('globalThis.pressedAgain');

    await page.getByRole('alert').getByText('the page just changed').waitFor();
    expect(await page.evaluate('performance.now()')).toBe(6_000);
    expect(acts).toEqual([]);
  });

  test.for([
    { how: 'moved nothing', from: 0, then: LONG, isAnswered: true },
    { how: 'moved all questions below the window', from: 0, then: ['new', ...LONG], isAnswered: false },
    { how: 'moved the questions, and the browser scrolled along', from: 500, then: ['new', ...LONG], isAnswered: true },
  ])('a press after an update that $how means what the person scrolled to', async ({ from, then, isAnswered }) => {
    const asked = (ids: readonly string[]) => ids.map((id) => ({ ...question, delivery: id, name: id, text: 'Post it?' }));
    await using opened = await open({ questions: asked(LONG) });
    const { page, acts, apiQueries } = opened;
    await page.evaluate(NO_TIME_PASSES);
    await page.evaluate(`scrollTo(0, ${from})`);
    apiQueries.ruleList = [rule('go')];
    apiQueries.statusChanges = { ...apiQueries.statusChanges, questions: asked(then) };
    apiQueries.emit({ kind: 'rules' });
    await page.getByRole('button', { name: 'Resume go' }).waitFor({ state: 'detached' });
    await page.evaluate('scrollBy(0, 200)');

    const { clientX, clientY } = await placeOf(page.getByRole('button', { name: `${question.choices[0]} (q4)` }));
    await page.mouse.click(clientX, clientY);

    await page
      .getByRole('alert')
      .getByText(isAnswered ? 'is answered' : 'the page just changed')
      .waitFor();
    expect(acts.map(([, input]) => input)).toEqual(isAnswered ? [{ delivery: 'q4', choice: question.choices[0] }] : []);
  });

  test.for(SIZED_PRESSES)('a paused rule is resumed $how, $size.width pixels wide', async ({ press, size }) => {
    await using opened = await open({}, { size });
    const { page, acts } = opened;
    const resume = page.getByRole('button', { name: 'Resume go' });
    const box = await resume.boundingBox();

    await press(resume);

    await page.getByRole('alert').getByText('go runs again.', { exact: true }).waitFor();
    await resume.waitFor({ state: 'detached' });
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 9999) <= size.width).toBe(true);
    expect(acts).toEqual([['resumeRule', { rule: 'go' }, 'page']]);
    expect(opened.errors).toEqual([]);
  });

  test.for(PRESSES)('a question is answered $how', async ({ press }) => {
    await using opened = await open({ questions: [question] });
    const { page, acts } = opened;

    await press(page.getByRole('button', { name: 'send (Ada)' }));

    await page.getByRole('alert').getByText('Ada is answered.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'send (Ada)' }).waitFor({ state: 'detached' });
    expect(acts).toEqual([['answerDelivery', { delivery: 'q1', choice: 'send' }, 'page']]);
  });

  test('the answer to a question of a paused rule says that nothing is sent after the pause', async () => {
    await using opened = await open({ questions: [{ ...question, delivery: 'paused' }] }, { locale: 'de-DE' });
    await opened.page.getByRole('button', { name: 'send (Ada)' }).click();
    const shown = /^Ada ist beantwortet\. Hinweis: grace hat .* auch nach der Pause nicht gesendet\.$/u;
    await expect.poll(() => opened.page.getByRole('alert').textContent()).toMatch(shown);
  });

  test('the answer to a question for several people says that it waits for the others', async () => {
    await using opened = await open({ questions: [{ ...question, delivery: 'several' }] }, { locale: 'de-DE' });
    await opened.page.getByRole('button', { name: 'send (Ada)' }).click();
    await expect
      .poll(() => opened.page.getByRole('alert').textContent())
      .toBe('Die Antwort ist gespeichert. Die Frage wartet auf die Antworten weiterer Personen.');
  });

  test('a second message is sent only after a confirmation', async () => {
    await using opened = await open();
    const { page, acts } = opened;
    const unknown = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'It was sent' }) });
    const again = unknown.getByRole('button', { name: 'Send again' });

    await again.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(acts).toEqual([]);
    await again.click();
    await page.keyboard.press('Escape');
    expect(acts).toEqual([]);
    await again.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
    await page.getByRole('button', { name: 'It was sent' }).waitFor({ state: 'detached' });

    expect(acts).toEqual([['resolveDelivery', { delivery: 'd1', resolution: 'again' }, 'page']]);
  });

  test('a key that is held down does not agree to a question', async () => {
    await using opened = await open();
    const { page, acts } = opened;
    const unknown = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'It was sent' }) });
    await unknown.getByRole('button', { name: 'Send again' }).focus();

    await page.keyboard.down('Enter');
    await page.getByRole('dialog').waitFor();
    expect(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Cancel' })
        .evaluate((one) => one.matches(':focus')),
    ).toBe(true);
    await page.keyboard.down('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    expect(acts).toEqual([]);
  });

  test('a refusal is shown as a text, and the focus stays on the button', async () => {
    await using opened = await open();
    const { page } = opened;
    const again = page.getByRole('listitem').filter({ hasText: 'failed' }).getByRole('button', { name: 'Send again' });

    await again.click();

    await page.locator('#outcome [data-tone="bad"]').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('The rule <b>go</b> is paused.');
    expect(await again.evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  test('without a script, the overview is readable and has no buttons of actions', async () => {
    await using opened = await open(FULL, { javaScriptEnabled: false });
    const { page } = opened;

    expect(await page.getByText('Live now').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Resume go' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'go', exact: true }).first().waitFor();
  });

  test('what needs a person, a new stream and an outage appear without a reload', async () => {
    await using opened = await open({ live: [] });
    const { page, apiQueries } = opened;
    const marked = async (): Promise<unknown> => page.evaluate('window.marked');
    await page.evaluate('window.marked = 1');

    apiQueries.statusChanges = { ...FULL, live: (FULL.live ?? []).map((stream) => ({ ...stream, name: 'Grace' })) };
    apiQueries.emit({ kind: 'accounts' });

    await page.getByRole('heading', { name: 'Grace' }).first().waitFor();
    await page.getByText('HTTP 503').waitFor();
    expect(await marked()).toBe(1);
    expect(opened.errors).toEqual([]);
  });

  test('a lost connection is shown, and the overview catches up', async () => {
    await using opened = await open();
    const { page, apiQueries } = opened;
    const connection = page.locator('#connection');

    await opened.stop();
    await connection.and(page.locator('[data-state="lost"]')).waitFor();
    apiQueries.deliveryList = [];
    apiQueries.ruleList = [];
    await opened.start();

    await connection.and(page.locator('[data-state="live"]')).waitFor();
    await page.getByText('Nothing needs you.').waitFor();
    expect(await page.getByRole('button', { name: 'Resume go' }).count()).toBe(0);
  });

  test('people reach each button with the Tab key alone, in the order of the page', async () => {
    await using opened = await open();
    const { page } = opened;
    const names: string[] = [];
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      const name = await focusedText(page);
      // After the last element, the focus begins again.
      if (names.length > 0 && name.startsWith('Skip')) break;
      names.push(name);
    }

    const buttons = names
      .filter((name) => /^(It was sent|Send again|Resume)/u.test(name))
      .map((name) => name.split(' ').slice(0, 3).join(' '));
    expect(buttons).toEqual(['It was sent', 'Send again valorant-top', 'Send again valorant-top', 'Resume go']);
  });
});

function focusedText(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement?.textContent ?? ""');
}

/** The place of the pointer on a button. */
async function placeOf(button: Locator): Promise<{ readonly clientX: number; readonly clientY: number }> {
  const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
  return { clientX: x + 5, clientY: y + 5 };
}

/** Presses what is at this place at the moment of the update after which these names are shown or gone, as a person does who did not see it yet. */
async function pressAtUpdate(
  page: Page,
  place: object,
  { shown = [], gone = [] }: { readonly shown?: readonly string[]; readonly gone?: readonly string[] },
): Promise<void> {
  await page.evaluate(NO_TIME_PASSES);
  await page.evaluate(`new MutationObserver((_, observer) => {
    const text = document.querySelector('#view').innerText;
    const has = (name) => text.includes(name);
    if (!${JSON.stringify(shown)}.every(has) || ${JSON.stringify(gone)}.some(has)) return;
    observer.disconnect();
    const at = ${JSON.stringify(place)};
    const button = document.elementFromPoint(at.clientX, at.clientY).closest('button');
    globalThis.pressedAgain = button.textContent;
    button.dispatchEvent(new MouseEvent('click', { ...at, detail: 1, bubbles: true, cancelable: true }));
  }).observe(document.querySelector('#view'), { childList: true, subtree: true })`);
}
