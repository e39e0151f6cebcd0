import { expect, test } from 'vitest';
import type { Draft } from '#src/assistant/drafts.ts';
import { draftCard } from '#src/discord/assistant/draft-card.ts';
import { wordsFor } from '#src/discord/language/languages.ts';

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

test.for(['open', 'approved', 'dropped'] as const)('a card of a long draft for many accounts, %s, is one that Discord takes', (state) => {
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
  const sent = { id: 'd1', server: 's1', by, text: '', hasPicture: false, madeAt: at, at, isQueued: false, targets };

  const { embeds = [] } = draftCard(drafted(state), { words: wordsFor('de'), previews, sent });

  const [card] = embeds;
  const texts = [card?.title, card?.description, ...(card?.fields ?? []).flatMap(({ name, value }) => [name, value])];
  expect(texts.join('').length).toBeLessThanOrEqual(LONGEST_CARD);
  // Who decided stands last of all, and must not be cut away.
  expect(card?.description?.includes('<@2>')).toBe(state !== 'open');
});
