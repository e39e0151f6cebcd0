import { afterEach, describe, expect, test } from 'vitest';
import type { Operations } from '#src/web/client/operations.ts';
import type { Language } from '#src/web/language.ts';
import { renderToString } from '#src/web/view-pages/render-to-string.mjs';
import { LanguageContext } from '#src/web/views/language.ts';
import { lineDiff } from '#src/web/views/line-diff.ts';
import { answered } from '#src/web/views/parts/answered.ts';
import { RuleTrial } from '#src/web/views/parts/rule-trial.ts';
import { h } from '#src/web/views/preact.mjs';
import { formsIn } from '../../support/page-forms.ts';
import { textOf } from '../../support/page-text.ts';

type Answer = Operations['replayRule']['answer'];
type Replayed = Answer['replays'][number];
type ReplayEvent = Replayed['events'][number];

const ATTACK = '</textarea></p><script>alert(1)</script><img src=x onerror=alert(1)>';
const AT = '2026-11-20T18:00:00.000Z';
const event: ReplayEvent = {
  kind: 'same',
  at: AT,
  about: 'Ada',
  step: 'card',
  position: { id: 'card', section: 'then', number: 1 },
  do: 'discord.send',
  account: 'discord',
  expected: ['Ada is live'],
};

function shown({
  language = 'en',
  canAct = true,
  source = 'id: live',
}: { language?: Language; canAct?: boolean; source?: string } = {}): string {
  const trial = h(RuleTrial, { id: 'live', source, canAct });
  return `<main id="view">${renderToString(h(LanguageContext.Provider, { value: language }, trial))}</main>`;
}

function answer(replayed: Partial<Replayed>, rest: Partial<Answer> = {}): void {
  const { events = [] } = replayed;
  const of = (kind: ReplayEvent['kind']): number => events.filter((one) => one.kind === kind).length;
  const counts = { same: of('same'), other: of('other'), more: of('more'), fewer: of('fewer'), early: of('early') };
  const slots = { count: 8640, first: AT, last: AT, isWarm: true };
  const whole = {
    rule: 'live',
    timezone: 'UTC',
    since: AT,
    slots,
    startsEmpty: [],
    paused: 0,
    pausedIsMinimum: false,
    changedLists: [],
    missingNames: [],
    answersFirst: false,
    failed: 0,
    counts,
    events,
    edits: { expected: 0, actual: 0 },
    ...replayed,
  };
  answered.value = { operation: 'replayRule', input: { rule: 'live' }, answer: { replays: [whole], diagnostics: [], ...rest } };
}

afterEach(() => void (answered.value = undefined));

describe('the replay of a rule', () => {
  test('asks for a period and an edited text, and names its limits', () => {
    const page = shown({ source: ATTACK });

    expect(formsIn(page)).toContainEqual(['replayRule', { rule: 'live' }]);
    expect(page).toMatch(/<option (?=[^>]*value="24h")[^>]*\bselected\b/u);
    expect(textOf(page)).toContain('A replay ends after 10,000 polls or 15 seconds.');
    expect(page).toContain('&lt;/textarea>');
    expect(page).not.toMatch(/<script|<img/u);
  });

  test('only readers who may replay it see its form', () => {
    expect(formsIn(shown({ canAct: false })).map(([name]) => name)).toEqual(['testRule']);
  });

  test('shows the texts then and now side by side, and marks each difference with a word and a sign', () => {
    answer({
      events: [
        { ...event, kind: 'other', actual: ['Ada is live', 'Chess'], expected: ['Ada plays', 'Chess'] },
        { ...event, kind: 'more', about: 'Grace', expected: ['Grace plays'] },
        { ...event, kind: 'fewer', about: 'Linus', expected: undefined, actual: ['Linus is live'] },
        { ...event, kind: 'early', about: 'Alan', failure: 'no text' },
        event,
      ],
    });

    const text = textOf(shown());

    expect(text).toContain('~ changed 1 + added 1 − removed 1 · early 1');
    expect(text).toContain('Then − removed: Ada is live Chess Now + added: Ada plays Chess');
    expect(text).toContain('Grace card : discord.send → discord Then Nothing was sent. Now Grace plays');
    expect(text).toContain('Linus card : discord.send → discord Then Linus is live Now Nothing would be sent.');
    expect(text).toContain('It cannot be sent: no text');
    expect(text).toContain('1 message is the same');
  });

  test('shows both times of a message that comes later than then', () => {
    const at = new Date(Date.parse(AT) + 120_000).toISOString();
    answer({ answersFirst: true, events: [{ ...event, at, actualAt: AT }, event] });

    const text = textOf(shown({ language: 'de' }));

    expect(text.match(/\(damals /gu)).toHaveLength(1);
    expect(text).toContain('Eine Frage, die damals nicht gestellt wurde, bekommt die erste Antwort.');
  });

  test('a step without an id is named in the language of the page', () => {
    answer({ events: [{ ...event, step: 'step 2', position: { section: 'then', number: 2 } }] });

    expect(textOf(shown({ language: 'de' }))).toContain('Ada Schritt 2 : discord.send → discord');
  });

  test('says what the comparison cannot know', () => {
    answer({
      slots: undefined,
      endedAt: AT,
      knownSince: AT,
      blown: { at: AT, most: '30 in 1h' },
      startsEmpty: ['keep', 'gather'],
      missingNames: ['linus'],
      paused: 2,
      changedLists: ['team'],
      counts: { same: 0, other: 0, more: 250, fewer: 0, early: 0 },
      edits: { expected: 2, actual: 3 },
    });

    const text = textOf(shown());

    for (const part of [
      'No polls of this rule were recorded since',
      'The replay reached its limit',
      'A pause or a mute prevented or delayed 2 announcements of this period.',
      'Lists changed in this period (team).',
      'The rule has no history before this time',
      'with a limit of 30 in 1h',
      'The replay begins without the values of that time (keep, gather)',
      'Nothing is recorded about linus.',
      'Further messages are not shown (250).',
      'not shown: 2 now. Of the edits then, 3 are still stored.',
    ])
      expect(text).toContain(part);
  });

  test('says that a pause may have prevented more, in English and German', () => {
    answer({ paused: 50, pausedIsMinimum: true });

    expect(textOf(shown())).toContain('A pause or a mute prevented or delayed at least 50 announcements of this period.');
    expect(textOf(shown({ language: 'de' }))).toContain('hat in diesem Zeitraum mindestens 50 Meldungen verhindert oder verzögert.');
  });

  test('shows the errors of an edited text, in German too, and escapes all texts', () => {
    const diagnostic = {
      severity: 'error',
      code: 'x',
      file: 'a',
      line: 2,
      column: 3,
      path: '',
      message: ATTACK,
      hint: ATTACK,
      excerpt: ATTACK,
    } as const;
    answer(
      { rule: ATTACK, events: [{ ...event, about: ATTACK, step: ATTACK, expected: [ATTACK], actual: [ATTACK], failure: ATTACK }] },
      { diagnostics: [diagnostic] },
    );

    const page = shown({ language: 'de' });

    expect(page).not.toMatch(/<script|<img/u);
    expect(textOf(page)).toMatch(/error: 2:3 .+ \(&lt;.+\)/u);
    expect(textOf(page)).toContain('1 Nachricht ist gleich');
  });
});

describe('the difference of lines', () => {
  test.for([
    ['', '', ''],
    ['abc', 'abc', '=a=b=c'],
    ['', 'ab', '+a+b'],
    ['ab', '', '-a-b'],
    ['abcd', 'abxd', '=a=b-c+x=d'],
    ['abc', 'bca', '-a=b=c+a'],
  ] as const)('of %j and %j', ([before, now, expected]) => {
    const signs = { same: '=', added: '+', removed: '-' };

    expect(
      lineDiff(before.split(''), now.split(''))
        .map(({ kind, line }) => signs[kind] + line)
        .join(''),
    ).toBe(expected);
  });
});
