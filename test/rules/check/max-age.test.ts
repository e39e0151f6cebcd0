import { describe, expect, test } from 'vitest';
import { check, diagnosticsOf, unmark } from '../../support/rule-language.ts';

function rule(when: string, top = ''): string {
  return `id: r\nwhen: { ${when} }\n${top}then:\n  - { do: discord.send, with: { channel: live, content: hi } }\n`;
}

const CLIPS = 'watch: streaming.getUserClips, with: { user: ada }';
const FEED = 'watch: feed.getItems, with: { url: "https://news.example/feed.xml" }, per: poll';
const STARS = 'every: 5m, watch: discord.getMessages, with: { channel: general }';

describe('a feed whose items are older than maxAge when they count', () => {
  test.each([
    [
      rule(`timezone: UTC, cron: ▲"0 9 * * *", ${FEED}`),
      'polls are 1d apart, and items that are older than maxAge (1h) are not announced',
      'add maxAge: 2d to when',
    ],
    [
      rule(`timezone: UTC, cron: ▲"0 9 * * SUN", ${FEED}`),
      'polls are 7d apart, and items that are older than maxAge (1h) are not announced',
      'add maxAge: 8d to when',
    ],
    [
      rule(`timezone: UTC, cron: ▲"0 */6 * * *", ${FEED}`),
      'polls are 6h apart, and items that are older than maxAge (1h) are not announced',
      'add maxAge: 1d to when',
    ],
    [
      rule(`timezone: UTC, cron: ▲"*/5 9-17 * * *", ${FEED}`),
      'polls are 15h 5m apart, and items that are older than maxAge (1h) are not announced',
      'add maxAge: 1d to when',
    ],
    [
      rule(`timezone: UTC, cron: "0 9 * * *", maxAge: ▲6h, ${FEED}`),
      'polls are 1d apart, and items that are older than maxAge (6h) are not announced',
      'write maxAge: 2d',
    ],
    [
      rule(`every: 12h, maxAge: ▲6h, ${FEED}`),
      'polls are 12h apart, and items that are older than maxAge (6h) are not announced',
      'write maxAge: 1d',
    ],
    [
      rule(`every: 10m, ${CLIPS}, where: 'item.title != "" && ▲item.viewCount >= 50'`),
      'item.viewCount grows, and items that are older than maxAge (1h) are not announced',
      'add maxAge: 1d to when, or longer',
    ],
    [
      rule('every: 10m, watch: social.getMentions, account: bluesky, where: 10 < ▲item.counts.likes'),
      'item.counts.likes grows, and items that are older than maxAge (1h) are not announced',
      'add maxAge: 1d to when, or longer',
    ],
    [
      rule(`${STARS}, where: 'item.reactions.exists(r, r.emoji == "⭐" && ▲r.count >= 3)'`),
      'r.count grows, and items that are older than maxAge (1h) are not announced',
      'add maxAge: 1d to when, or longer',
    ],
    [
      rule(`${STARS}, where: '▲item.reactions.exists(r, r.emoji == "⭐")'`),
      'item.reactions.exists(r, r.emoji == "⭐") grows, and items that are older than maxAge (1h) are not announced',
      'add maxAge: 1d to when, or longer',
    ],
    [
      rule('every: 5m, watch: ▲streaming.getGameClips, with: { game: Chess }'),
      'with sort: VIEWER_COUNT, the list shows items late, and items that are older than maxAge (1h) are not announced',
      'write sort: TIME in with, or add maxAge: 1d to when, or longer',
    ],
    [
      rule('every: 5m, watch: streaming.getUserClips, with: { user: ada, sort: ▲LAST_WEEK }'),
      'with sort: LAST_WEEK, the list shows items late, and items that are older than maxAge (1h) are not announced',
      'write sort: TIME in with, or add maxAge: 1d to when, or longer',
    ],
  ])('%s', (marked, message, hint) => {
    const { source, place } = unmark(marked);

    expect(check(source).diagnostics.map(({ line, column, ...one }) => ({ ...one, place: `${line}:${column}` }))).toMatchObject([
      { severity: 'warning', code: 'short-max-age', message, hint, place },
    ]);
  });

  test.each([
    rule(`timezone: UTC, cron: "0 9 * * *", maxAge: 2d, ${FEED}`),
    rule(`timezone: UTC, cron: "*/30 * * * *", ${FEED}`),
    rule(`every: 12h, ${FEED}`),
    rule(
      'timezone: UTC, cron: "0 18 * * 0", watch: streaming.getGameClips, with: { game: Chess }, take: 5, per: slot',
      'if: items.size() > 0\n',
    ),
    rule(`every: 10m, ${CLIPS}, where: item.viewCount >= 50, maxAge: 1d`),
    rule(`every: 10m, ${CLIPS}, where: item.viewCount < 50`),
    rule('every: 5m, watch: streaming.getGameClips, with: { game: Chess, sort: TIME }'),
    rule('every: 5m, watch: streaming.getGameClips, with: { game: Chess, sort: LAST_DAY }, maxAge: 1d'),
    rule(`every: 10m, ${CLIPS}, changes: [{ rose: { field: viewCount, above: 50 } }]`),
    rule('every: 1m, watch: streaming.getStreams, with: { users: [ada] }, where: item.viewerCount >= 50'),
    rule('timezone: UTC, cron: "0 9 * * *", watch: history.getDeliveries, with: { state: failed }, per: poll'),
  ])('no warning: %s', (source) => {
    expect(diagnosticsOf(source)).toEqual([]);
  });
});
