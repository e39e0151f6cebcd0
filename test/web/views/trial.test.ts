import { afterEach, describe, expect, test } from 'vitest';
import { renderToString } from '#src/web/view-pages/render-to-string.mjs';
import type { Operations } from '#src/web/client/operations.ts';
import type { Preview } from '#src/web/client/records.ts';
import type { Language } from '#src/web/language.ts';
import { LanguageContext } from '#src/web/views/language.ts';
import { answered } from '#src/web/views/parts/answered.ts';
import { RuleTrial } from '#src/web/views/parts/rule-trial.ts';
import { h } from '#src/web/views/preact.mjs';
import { textOf } from '../../support/page-text.ts';

/** A preview without a poll. */
const EMPTY = { rule: 'live', ignores: [], answersFirst: false };
const ATTACK = '</p><script>alert(1)</script><img src=x onerror=alert(1)>';

function shown(language: Language = 'en', { canAct = false } = {}): string {
  const rendered = renderToString(h(LanguageContext.Provider, { value: language }, h(RuleTrial, { id: 'live', canAct })));
  return `<main id="view">${rendered}</main>`;
}

function answer<Name extends 'testRule' | 'previewRule'>(operation: Name, given: Operations[Name]['answer']): void {
  answered.value = { operation, input: { rule: 'live' }, answer: given };
}

afterEach(() => void (answered.value = undefined));

describe('the trial of a rule', () => {
  test('has buttons for the preview and the tests, and no result before they are pressed', () => {
    expect(textOf(shown('en', { canAct: true }))).toMatch(/^Try it without sending Preview live Run its tests live /u);
    expect(textOf(shown('de', { canAct: true }))).toMatch(/^Ausprobieren, ohne zu senden Vorschau live Tests ausführen live /u);
  });

  test('has no button for the preview, which polls the platforms, if the reader may only read', () => {
    expect(textOf(shown())).toBe('Try it without sending Run its tests live');
  });

  test('shows the cases of the tests with their differences', () => {
    const cases = [
      { rule: 'live', passed: true, text: 'a stream begins' },
      { rule: 'live', passed: false, text: 'a stream ends\n  expected: nothing' },
    ];
    answer('testRule', { passed: false, cases, untested: [], simulatedAccounts: [], diagnostics: [] });

    expect(textOf(shown())).toMatch(/passed a stream begins failed a stream ends\s+expected: nothing$/u);
  });

  test.each([
    ['Did you mean every?', '4:3 unknown key (Did you mean every?)'],
    [undefined, '4:3 unknown key'],
  ])('shows an error with the remedy %s', (hint, expected) => {
    const place = { code: 'x', file: 'a.yaml', line: 4, column: 3, path: '', excerpt: '' };
    const diagnostics = [{ ...place, severity: 'error', message: 'unknown key', hint } as const];
    answer('testRule', { passed: false, cases: [], untested: [], simulatedAccounts: [], diagnostics });

    expect(textOf(shown()).endsWith(expected)).toBe(true);
  });

  test.each([
    [['settle', 'quiet'], false, 'The preview ignores settle, quiet: a message can come later, or not at all. A stream goes live'],
    [[], true, 'The preview answers each question with its first choice. A stream goes live'],
  ])('says that the preview ignores %j, and that it answers questions: %s', (ignores, answersFirst, expected) => {
    answer('previewRule', { rule: 'live', ignores, answersFirst, scenarios: [{ kind: 'goesLive', steps: [] }] });

    expect(textOf(shown())).toContain(expected);
  });

  test.each([
    [{ of: 'payload', ignoresIf: true }, 'The preview uses an example payload. It ignores “if” of the rule.'],
    [{ of: 'payload', ignoresIf: false }, 'The preview uses an example payload.'],
    [{ of: 'item', ignoresIf: true }, 'The preview uses an example item. It ignores “if” of the rule.'],
  ] as const)('says which data the preview %o invented', (sample, expected) => {
    answer('previewRule', { ...EMPTY, sample, scenarios: [] });

    expect(textOf(shown())).toContain(`${expected} The rule would announce nothing now.`);
  });

  test('does not say that nothing would be announced if the poll failed', () => {
    const read = { failure: 'no answer', fault: 'unreachable', count: 0, counted: 0, isSample: false, unknownUsers: [], excluded: [] };
    answer('previewRule', { ...EMPTY, read, scenarios: [] });

    expect(textOf(shown())).not.toContain('nothing');
  });

  test('names rules without tests beside others, and the simulated accounts', () => {
    const cases = [{ rule: 'live', passed: true, text: 'a stream begins' }];
    answer('testRule', { passed: true, cases, untested: ['late'], simulatedAccounts: ['x'], diagnostics: [] });

    expect(textOf(shown())).toMatch(/No tests for late\. .*Not connected, simulated for the tests: x$/u);
  });

  test('says how to write tests for a rule that has none', () => {
    answer('testRule', { passed: true, cases: [], untested: ['live'], simulatedAccounts: [], diagnostics: [] });

    expect(textOf(shown())).toContain('No tests for live.');
  });

  test('shows what each event would send, and escapes the texts of platforms', () => {
    const message = {
      channel: 'live',
      embeds: [],
      buttons: ['Watch'],
      lines: [ATTACK, '▌ card', '[Watch]'],
      lengths: [
        { path: 'text', length: 480, most: 2000 },
        { path: 'embed.url', length: 12 },
        { path: 'embed.title', length: 51, most: 256 },
        { path: 'content', length: 1900, most: 2000 },
      ],
      pings: ['@crew'],
      onlyText: ['@linus'],
    };
    answer('previewRule', {
      rule: 'live',
      read: {
        count: 20,
        counted: 5,
        isSample: false,
        partlyFailed: 'not read: ada through twitch',
        unknownUsers: [{ account: 'kick', user: ATTACK }],
        excluded: [{ name: ATTACK, message: ATTACK }],
      },
      ignores: [],
      answersFirst: false,
      scenarios: [
        {
          kind: 'goesLive',
          name: ATTACK,
          suppression: ATTACK,
          steps: [
            {
              name: 'card',
              position: { id: 'card', section: 'then', number: 1 },
              do: 'discord.send',
              account: 'discord',
              reads: true,
              remarks: [`problem in Discord: ${ATTACK}`],
              remarkReasons: [{ kind: 'target', error: ATTACK }],
              messages: [message],
            },
            {
              name: 'while step 2',
              position: { section: 'while', number: 2 },
              do: 'social.createPost',
              account: 'x',
              afterMs: 300_000,
              notRun: ATTACK,
              reads: false,
              remarks: [],
              remarkReasons: [],
              messages: [],
            },
          ],
        },
      ],
    });

    const page = shown();

    expect(page).not.toMatch(/<script|<img/u);
    const text = textOf(page);
    for (const part of [
      'The poll has 20 items, of which the rule counts 5.',
      'not read: ada through twitch',
      'goes live',
      'card discord.send → discord',
      'while step 2 social.createPost → x',
      '# live',
      'card',
      '▌ card [Watch]',
      'No ping, only text: @linus',
      'problem in Discord: &lt;/p>',
      'on kick. Correct the name in the rule.',
      'Pings: @crew',
      '5m later',
      'read now',
      'text: 480 of 2,000 characters content: 1,900 of 2,000 characters',
    ])
      expect(text).toContain(part);
  });

  test.each([
    [{ kind: 'cut', detail: 'text was 400 of 300' }, 'Der Text ist zu lang und wird gekürzt („text was 400 of 300“).'],
    [
      { kind: 'cutWarning', detail: 'warning was 300 of 250' },
      'Die Inhaltswarnung ist zu lang und wird gekürzt („warning was 300 of 250“).',
    ],
    [{ kind: 'foreignPing', name: '@everyone' }, 'Die Nachricht wird ohne die Erwähnung @everyone gesendet'],
    [{ kind: 'file', path: '/a.png', error: 'no file' }, 'Die Datei /a.png lässt sich nicht senden („no file“).'],
    [{ kind: 'target', error: 'no channel lve' }, 'Problem in Discord: „no channel lve“'],
    [
      { kind: 'without', omission: { parameter: 'mention', index: 1, message: 'no role' }, fails: false },
      'Gesendet ohne mention 2: „no role“',
    ],
    [{ kind: 'without', omission: { parameter: 'poll', message: 'no polls' }, fails: true }, 'Nicht möglich ohne poll: „no polls“'],
  ] as const)('shows the remark %o in German', (remark, text) => {
    previewed({ remarks: ['in English'], remarkReasons: [remark] });

    const page = shown('de');

    expect(textOf(page)).toContain(text);
    expect(page).not.toContain('in English');
  });

  test.each([
    [{ id: 'card', section: 'then', number: 1 }, 'card', 'card'],
    [{ section: 'then', number: 2 }, 'step 2', 'Schritt 2'],
    [{ section: 'finally', number: 1 }, 'finally step 1', 'Schritt 1 von finally'],
  ] as const)('names the step %o by its id or its position', (position, english, german) => {
    previewed({ position });

    expect(textOf(shown('en'))).toContain(`${english} discord.send`);
    expect(textOf(shown('de'))).toContain(`${german} discord.send`);
  });
});

type Step = Preview['scenarios'][number]['steps'][number];

/** Shows the preview of one step. */
function previewed(changes: Partial<Step>): void {
  const step: Step = {
    name: 'card',
    position: { section: 'then', number: 1 },
    do: 'discord.send',
    account: 'discord',
    reads: false,
    remarks: [],
    remarkReasons: [],
    messages: [],
    ...changes,
  };
  answer('previewRule', { ...EMPTY, scenarios: [{ kind: 'goesLive', steps: [step] }] });
}
