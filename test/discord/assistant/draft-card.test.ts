import { expect, test } from 'vitest';
import type { Draft, DraftRefusal } from '#src/clients/assistant/drafts.ts';
import { refusalText } from '#src/discord/assistant/draft-buttons.ts';
import { draftCard } from '#src/discord/assistant/draft-card.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { textsFor } from '#src/discord/language/languages.ts';

const LONGEST_CARD = 6_000;
const accounts = Array.from({ length: 12 }, (_, index) => `account-${index}-${'n'.repeat(90)}`);
const at = new Date('2026-11-20T18:00:00Z');

function drafted(state: Draft['state']): Draft {
  return {
    id: 'd1',
    content: { kind: 'post', text: '*'.repeat(5_000), accounts },
    by: '1',
    conversation: 'here',
    state,
    madeAt: at,
    decidedBy: state === 'open' ? undefined : '2',
  };
}

test.for(['open', 'approved', 'dropped'] as const)('a card of a long draft for many accounts, %s, is accepted by Discord', (state) => {
  const why = '#'.repeat(400);
  const previews = accounts.map((account) => ({
    account,
    posts: [],
    mentions: { called: [], uncalled: [] },
    most: 500,
    length: 5_000,
    problem: { kind: 'refused' as const, why },
  }));
  const targets = accounts.map((account) => ({ account, state: 'failed' as const, why }));
  const by = { id: '1', name: 'ada' };
  const sent = { id: 'd1', server: 's1', by, text: '', hasPicture: false, madeAt: at, at, isQueued: false, edits: 0, targets };

  const { embeds = [] } = draftCard(drafted(state), { texts: textsFor('de'), previews, sent });

  const [card] = embeds;
  const texts = [card?.title, card?.description, ...(card?.fields ?? []).flatMap(({ name, value }) => [name, value])];
  expect(texts.join('').length).toBeLessThanOrEqual(LONGEST_CARD);
  // The person who decided is at the end, and must not be cut.
  expect(card?.description?.includes('<@2>')).toBe(state !== 'open');
});

test.for(['en-US', 'de'])(
  'the card of a long rule is cut to the limit, and names the file with the rest and the person who asked (%s)',
  (locale) => {
    const texts = textsFor(locale);
    const source = `id: x\n${Array.from({ length: 200 }, (_, index) => `# line ${index} of the rule`).join('\n')}\n`;
    const steps = (name: string): readonly string[] => Array.from({ length: 9 }, (_, index) => `discord.send (${name}-*_*_*_${index})`);
    const summary = {
      about: '*'.repeat(150),
      schedule: { everyMs: 60_000 },
      watches: `streaming.getGameStreams (${'_'.repeat(120)})`,
      first: steps('first'),
      during: steps('during'),
      after: steps('after'),
      remarks: ['#'.repeat(200), '_'.repeat(200), '~'.repeat(200)],
    };
    const content = { kind: 'rule', rule: 'x', source: `${source}# \`\`\` no fence\n`, tests: 'tests:' } as const;

    const { embeds = [], rows } = draftCard({ ...drafted('open'), content }, { texts, previews: [], summary });

    const description = embeds[0]?.description ?? '';
    expect(description.length).toBeLessThanOrEqual(3_000);
    expect(description.split('```')).toHaveLength(3);
    expect(description).toContain(texts.assistant.draft.cut);
    expect(description).toContain(texts.assistant.draft.tests);
    expect(description.endsWith(texts.assistant.draft.by('<@1>'))).toBe(true);
    expect(description).toContain('# line 20 of the rule');
    expect(JSON.stringify(rows)).toContain('ask:file:d1');
  },
);

const FOREIGN = '[click](https://example.com) **now**\n# all';

test.each([
  { kind: 'check', lines: FOREIGN },
  { kind: 'tests', lines: FOREIGN },
  { kind: 'rejected', account: 'x', why: FOREIGN },
  { kind: 'unsent', why: FOREIGN },
] as const satisfies readonly DraftRefusal[])('foreign text in a refusal is shown literally, on one line: $kind', (refusal) => {
  const answered = refusalText(refusal, en);

  expect(answered).toContain(String.raw`\[click\]\(https\://example\.com\) \*\*now\*\* \# all`);
  expect(answered).not.toContain('\n');
});

test.each([de, en])('the longest refusal fits in a message', (texts) => {
  expect(refusalText({ kind: 'check', lines: '*'.repeat(10_000) }, texts).length).toBeLessThan(2_000);
});
