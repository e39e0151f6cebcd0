import { describe, expect, test } from 'vitest';
import { problemsOf, ruleOf, unmark } from '../../support/rule-language.ts';

/** A rule whose `when` holds the given lines. */
function rule({
  when = 'every: 1m',
  top = '',
  content = 'hi',
}: {
  readonly when?: string;
  readonly top?: string;
  readonly content?: string;
}): string {
  return [
    'id: r',
    'when:',
    ...when.split('\n').map((line) => `  ${line}`),
    '  watch: streaming.getStreams',
    '  with: { users: [ada] }',
    top,
    'then:',
    '  - do: discord.send',
    '    with:',
    '      channel: live',
    `      content: ${content}`,
  ].join('\n');
}

describe('a rule that can run is warned of', () => {
  test.each([
    ['grace that is shorter than two polls', { when: 'every: 1m\ngrace: ▲90s' }, 'when.grace: grace is shorter than two polls'],
    [
      'a border on which one is announced again and again',
      { when: 'every: 1m\n▲take: 5' },
      'when.take: take has neither settle nor cooldown',
    ],
    ['a cron expression with both day fields', { when: 'cron: ▲"0 0 13 * 5"' }, 'when.cron: it runs where either'],
    ['an interval of days', { when: 'every: ▲1d' }, 'when.every: days and weeks are counted from'],
    ['a zone that says nothing', { when: 'every: 1m\n▲timezone: Europe/Paris' }, 'when.timezone: timezone says nothing without cron'],
    ['text that ends at " #"', { content: '▲We are in the Top #1' }, 'then[0].with.content: the text ends before " #"'],
    [
      'a clause that can never hold beside another',
      { when: 'every: 1m\nwhere: item.viewerCount >= 1000 && ▲item.viewerCount < 500' },
      'when.where: this can never be true together with item.viewerCount >= 1000',
    ],
    [
      'a clause that another one holds for already',
      { top: 'if: item.viewerCount > 10 || ▲item.viewerCount > 20' },
      'if: this is true only where this is already: item.viewerCount > 10',
    ],
  ])('%s', (_, parts, message) => {
    const { source, place } = unmark(rule(parts));

    expect(problemsOf(source)).toEqual([expect.stringContaining(`${place} warning ${message}`)]);
    expect(ruleOf(source).id).toBe('r');
  });

  test.each([
    { when: 'every: 1m\ngrace: 2m' },
    { when: 'every: 1m\ntake: 5\nsettle: 2m' },
    { when: 'every: 1m\ntake: 5', top: 'cooldown: 6h' },
    { when: 'cron: "0 0 13 * *"\ntimezone: Europe/Paris' },
    { when: 'every: 1m # every minute' },
    { content: '"Top #1" # quoted' },
    { when: 'every: 1m\nwhere: item.viewerCount >= 10 && item.viewerCount <= 10' },
    { when: 'every: 1m\nwhere: item.viewerCount > 10 || item.viewerCount < 5 || item.language == "en" || item.language == "fr"' },
  ])('nothing here: %j', (parts) => {
    expect(problemsOf(rule(parts))).toEqual([]);
  });
});
