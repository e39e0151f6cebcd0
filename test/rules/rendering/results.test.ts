import { describe, expect, test } from 'vitest';
import type { StepNames } from '#src/rules/step.ts';
import { rendered } from './fixture.ts';

const names: StepNames = {
  watch: 'streaming.getStreams',
  steps: { post: 'social.createPost', card: 'discord.send', cards: 'discord.send' },
  accounts: { post: ['bluesky', 'mastodon'], card: ['discord'], cards: ['discord'] },
  lists: ['cards'],
};
const results = {
  post: [
    { account: 'bluesky', result: { id: 'b1', url: 'https://b.test/1' } },
    { account: 'mastodon', result: { id: 'm1', url: 'https://m.test/1' } },
  ],
};

describe('the results of a step with several accounts', () => {
  test.each([
    ['steps.post.id', 'x', 'b1'],
    ['steps.post.own.id', 'mastodon', 'm1'],
    ['steps.post.on.mastodon.id', 'bluesky', 'm1'],
  ])('%s for %s is %s', (expression, account, id) => {
    expect(rendered({ text: `id \${{ ${expression} }}` }, {}, { names, account, results })).toEqual({ params: { text: `id ${id}` } });
  });

  test('are read for the same account if the first account has none', () => {
    const ofMastodon = { post: results.post.slice(1) };

    const answer = rendered({ text: 'x', replyTo: '${{ steps.post.own.id }}' }, {}, { names, account: 'mastodon', results: ofMastodon });

    expect(answer).toEqual({ params: { text: 'x', replyTo: 'm1' } });
    expect(rendered({ text: '[${{ steps.post.id }}]' }, {}, { names, account: 'mastodon', results: ofMastodon })).toEqual({
      params: { text: '[]' },
    });
  });

  test('of an account that the step no longer names are read in Discord, whose accounts are one bot, and nowhere else', () => {
    const before = { card: [{ account: 'main', result: { id: 'live/1' } }], post: [{ account: 'x', result: { id: 'x1' } }] };
    const edit = { do: 'discord.edit', creates: false };

    expect(rendered({ message: '${{ steps.card.id }}', content: 'over' }, edit, { names, account: 'discord', results: before })).toEqual({
      params: { message: 'live/1', content: 'over' },
    });
    expect(rendered({ text: '[${{ steps.post.id }}]' }, {}, { names, account: 'bluesky', results: before })).toEqual({
      params: { text: '[]' },
    });
  });

  test('are empty if they were not sent, and steps that need them are skipped', () => {
    const lost = { post: [{ account: 'bluesky' }, ...results.post.slice(1)] };

    expect(rendered({ text: '${{ steps.post.own.url }}' }, {}, { names, account: 'bluesky', results: lost })).toEqual({
      skip: { kind: 'emptyParameter', parameter: 'text', template: '"${{ steps.post.own.url }}"' },
    });
    expect(rendered({ text: '${{ steps.post.on.mastodon.url }}' }, {}, { names, account: 'bluesky', results: lost })).toEqual({
      params: { text: 'https://m.test/1' },
    });
  });

  test('are a list for a step with forEach', () => {
    const cards = [{ account: 'discord', result: [{ id: 'live/1' }, {}, { id: 'live/3' }] }];
    const text = '${{ string(steps.cards.size()) }}: ${{ steps.cards.map(c, c.id).join(",") }}';

    expect(rendered({ text }, {}, { names, results: { cards } })).toEqual({ params: { text: '3: live/1,,live/3' } });
  });
});

describe('the time of a step', () => {
  test('is the slot, or the end of the waits above the step', () => {
    const text = '${{ date(now, "UTC") }}';

    expect(rendered({ text })).toEqual({ params: { text: 'Nov 20, 2026, 8:05 PM' } });
    expect(rendered({ text }, { afterMs: 600_000 })).toEqual({ params: { text: 'Nov 20, 2026, 8:15 PM' } });
  });
});
