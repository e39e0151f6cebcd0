import { expect, test } from 'vitest';
import { check } from '../../support/rule-language.ts';

/** The data that a rule with this text stores. */
function tracksOf(content: string, when = '') {
  const { rules, diagnostics } = check(
    `id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }${when} }\nthen:\n  - { do: discord.send, with: { channel: live, content: "${content}" } }`,
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return rules[0]?.watched?.tracks;
}

test.each([
  ['x ${{ episode.peak.viewerCount }}', undefined],
  ['${{ compact(average([1, 2])) }}', undefined],
  ['${{ compact(episode.average.viewerCount) }}', { average: ['viewerCount'] }],
  ["${{ compact(episode['average'].viewerCount) }}", { average: ['viewerCount'] }],
  ['${{ episode.atPeak.viewerCount.item.title }}', { atPeak: ['viewerCount'] }],
  ['x ${{ episode.spans.size() }}', { spans: true }],
  ['${{ episode.spans.map(s, s.value).join() + compact(episode.average.viewerCount) }}', { average: ['viewerCount'], spans: true }],
])('a rule stores what it reads: %s', (content, expected) => {
  expect(tracksOf(content)).toEqual(expected);
});

test('a rule without episodes in its expressions stores no data of them', () => {
  expect(tracksOf('the average of spans', ', per: slot')).toBeUndefined();
});

test('the data of an episode is in the deferred changes too', () => {
  const { rules, diagnostics } = check(
    'id: r\nwhen: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, changes: [left] }\nquiet: { from: "22:00", to: "07:00", then: [{ do: discord.send, with: { channel: live, content: "${{ held.map(h, h.item.title + compact(h.episode.average.viewerCount)).join() }}" } }] }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]',
  );

  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(rules[0]?.watched?.tracks).toEqual({ average: ['viewerCount'] });
});
