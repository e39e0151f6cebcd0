import { describe, expect, test } from 'vitest';
import { clipRow, gameRow, rows, scriptTwitch, userRow } from './script-twitch.ts';

const ADA = ['GET /helix/users?login=ada', rows([userRow('42', 'ada')])] as const;
const CHESS = ['GET /helix/games?name=Chess', rows([gameRow('743', 'Chess')])] as const;
const OF_ADA = 'GET /helix/clips?broadcaster_id=42';
const OF_CHESS = 'GET /helix/clips?game_id=743';

/** The request for a span of time. */
function asked(of: string, from: string, to: string, after = ''): string {
  return `${of}&started_at=${encodeURIComponent(from)}&ended_at=${encodeURIComponent(to)}&first=100${after}`;
}

/** `count` clips, a minute apart, the newest at `to`. */
function clips(count: number, name: string, to: string): readonly object[] {
  return Array.from({ length: count }, (_, index) =>
    clipRow(`${name}${index}`, { created_at: new Date(Date.parse(to) - index * 60_000).toISOString(), view_count: (index * 7) % 50 }),
  );
}

const idsIn = (items: Iterable<{ readonly id: string }>): readonly string[] => Array.from(items, ({ id }) => id);

describe('clips by views', () => {
  test('a page is one request with complete records', async () => {
    await using twitch = await scriptTwitch([ADA, [`${OF_ADA}&first=100`, rows([clipRow('c1')], 'a')]]);

    const found = await twitch.bot.getUserClips('ada', { sort: 'VIEWS' });

    expect(found.at(0)).toEqual({
      platform: 'twitch',
      id: 'c1',
      url: 'https://clips.twitch.tv/c1',
      owner: { platform: 'twitch', id: '42', url: 'https://www.twitch.tv/ada', handle: 'ada', displayName: 'Ada' },
      creator: { platform: 'twitch', id: '7', url: 'https://www.twitch.tv/grace_h', handle: 'grace_h', displayName: 'Grace_H' },
      gameId: '743',
      videoId: '123',
      vodOffsetMs: 1_957_000,
      title: 'Clip c1',
      createdAt: new Date('2026-11-19T20:00:00Z'),
      durationMs: 12_900,
      viewCount: 10,
      language: 'en',
      featured: true,
      thumbnailUrl: 'https://static-cdn.jtvnw.net/c1-preview-480x272.jpg',
      embedUrl: 'https://clips.twitch.tv/embed?clip=c1',
      fetchedAt: new Date('2026-11-20T18:00:00Z'),
    });
    expect(found.hasNext).toBe(true);
  });

  test('a display name that is not a login is looked up, and a deleted account has no login', async () => {
    const row = clipRow('c1', { broadcaster_id: '42', broadcaster_name: '아다', creator_id: '8', creator_name: 'グレース' });
    await using twitch = await scriptTwitch([
      ADA,
      [`${OF_ADA}&first=100`, rows([row])],
      ['GET /helix/users?id=42&id=8', rows([userRow('42', 'ada')])],
    ]);

    const [clip] = await twitch.bot.getUserClips('ada', { sort: 'ALL_TIME' });

    expect(clip?.owner).toMatchObject({ handle: 'ada', displayName: '아다' });
    expect(clip?.creator).toBeUndefined();
  });

  test.for([
    ['LAST_DAY', '2026-11-19T18:00:00.000Z'],
    ['LAST_WEEK', '2026-11-13T18:00:00.000Z'],
    ['LAST_MONTH', '2026-10-21T18:00:00.000Z'],
  ] as const)('%s is a time span that stays the same for the whole walk', async ([sort, from]) => {
    const to = '2026-11-20T18:00:00.000Z';
    await using twitch = await scriptTwitch([
      CHESS,
      [asked(OF_CHESS, from, to), rows([clipRow('c1')], 'a')],
      ['GET /oauth2/validate', { json: {} }],
      [asked(OF_CHESS, from, to, '&after=a'), rows([clipRow('c2')])],
    ]);
    const first = await twitch.bot.getGameClips('Chess', { sort });
    twitch.clock.set(twitch.clock.nowMs() + 2 * 3_600_000);

    const rest = await twitch.bot.getGameClips('Chess', { sort, cursor: first.cursor });

    expect([...idsIn(first), ...idsIn(rest)]).toEqual(['c1', 'c2']);
  });

  test.for(['VIEWS', 'ALL_TIME', 'LAST_WEEK'] as const)('%s sorts a page that the server does not sort', async (sort) => {
    const views = Object.entries({ few: 3, most: 90, none: 0, many: 40 });
    const window = '&started_at=2026-11-13T18%3A00%3A00.000Z&ended_at=2026-11-20T18%3A00%3A00.000Z';
    await using twitch = await scriptTwitch([
      ADA,
      [`${OF_ADA}${sort === 'LAST_WEEK' ? window : ''}&first=100`, rows(views.map(([id, view_count]) => clipRow(id, { view_count })))],
    ]);

    expect(idsIn(await twitch.bot.getUserClips('ada', { sort }))).toEqual(['most', 'many', 'few', 'none']);
  });

  test('an empty page is the end, even with a cursor', async () => {
    await using twitch = await scriptTwitch([
      ADA,
      [`${OF_ADA}&first=100`, rows([clipRow('c1')], 'a')],
      [`${OF_ADA}&first=100&after=a`, rows([], 'b')],
    ]);

    const found = await twitch.bot.getUserClips('ada', { sort: 'VIEWS', pages: 'all', waitTime: 0 });

    expect(found).toMatchObject({ length: 1, hasNext: false, approximate: false });
  });

  test('after a thousand clips, the walk ends and is approximate', async () => {
    const pages = Array.from({ length: 10 }, (_, index) => {
      const line = `${OF_CHESS}&first=100${index === 0 ? '' : `&after=p${index}`}`;
      return [line, rows(clips(100, `p${index}-`, '2026-11-19T20:00:00Z'), `p${index + 1}`)] as const;
    });
    await using twitch = await scriptTwitch([CHESS, ...pages]);

    const found = await twitch.bot.getGameClips('Chess', { pages: 'all', waitTime: 0 });

    expect(found).toMatchObject({ length: 1000, hasNext: false, approximate: true });
  });

  test('languages are filtered in up to ten requests per page, and the next page continues there', async () => {
    const pages = Array.from({ length: 10 }, (_, index) => {
      const line = `${OF_CHESS}&first=100${index === 0 ? '' : `&after=p${index}`}`;
      return [line, rows([clipRow(`e${index}`), clipRow(`d${index}`, { language: 'de' })], `p${index + 1}`)] as const;
    });
    await using twitch = await scriptTwitch([
      CHESS,
      ...pages,
      [`${OF_CHESS}&first=100&after=p10`, rows([clipRow('last', { language: 'de' })])],
    ]);

    const first = await twitch.bot.getGameClips('Chess', { languages: 'de' });
    const second = await twitch.bot.getGameClips('Chess', { languages: 'de', cursor: first.cursor });

    expect(first).toMatchObject({ length: 10, scanned: 20, approximate: true, hasNext: true });
    expect(idsIn(second)).toEqual(['last']);
  });
});

describe('clips by time', () => {
  const END = '2026-11-20T18:01:00.000Z';
  const WEEK = '2026-11-13T18:01:00.000Z';
  const OLDEST = '2016-05-01T00:00:00.000Z';

  test('a week with few clips is one request, and windows grow until everything is read', async () => {
    await using twitch = await scriptTwitch([
      ADA,
      [
        asked(OF_ADA, WEEK, END),
        rows([clipRow('old', { created_at: '2026-11-14T00:00:00Z' }), clipRow('new', { created_at: '2026-11-20T17:00:00Z' })]),
      ],
      [asked(OF_ADA, '2026-10-16T18:01:00.000Z', WEEK), rows([])],
      [asked(OF_ADA, '2026-06-26T18:01:00.000Z', '2026-10-16T18:01:00.000Z'), rows([])],
      [
        asked(OF_ADA, '2025-04-04T18:01:00.000Z', '2026-06-26T18:01:00.000Z'),
        rows([clipRow('older', { created_at: '2026-01-01T00:00:00Z' })]),
      ],
      [asked(OF_ADA, '2020-05-08T18:01:00.000Z', '2025-04-04T18:01:00.000Z'), rows([])],
      [asked(OF_ADA, OLDEST, '2020-05-08T18:01:00.000Z'), rows([])],
    ]);

    const found = await twitch.bot.getUserClips('ada');

    expect(idsIn(found)).toEqual(['new', 'old', 'older']);
    expect(found).toMatchObject({ hasNext: false, approximate: false, scanned: 3 });
  });

  test('a window with more than one page shrinks', async () => {
    const shorter = '2026-11-19T21:01:00.000Z';
    const newest = '2026-11-20T17:59:00Z';
    await using twitch = await scriptTwitch([
      CHESS,
      [asked(OF_CHESS, WEEK, END), rows(clips(100, 'x', newest), 'more')],
      [asked(OF_CHESS, shorter, END), rows(clips(100, 'n', newest))],
    ]);

    const page = await twitch.bot.getGameClips('Chess', { sort: 'TIME' });

    expect(idsIn(page)).toEqual(Array.from({ length: 100 }, (_, index) => `n${index}`));
    expect(page).toMatchObject({ hasNext: true, approximate: false, scanned: 200 });
  });

  test('the next page begins at the end of the window, with the same length', async () => {
    const shorter = '2026-11-19T21:01:00.000Z';
    await using twitch = await scriptTwitch([
      CHESS,
      [asked(OF_CHESS, WEEK, END), rows(clips(100, 'x', '2026-11-20T17:59:00Z'), 'more')],
      [asked(OF_CHESS, shorter, END), rows(clips(100, 'n', '2026-11-20T17:59:00Z'))],
      [asked(OF_CHESS, '2026-11-19T00:01:00.000Z', shorter), rows(clips(100, 'm', '2026-11-19T21:00:00Z'))],
    ]);
    const first = await twitch.bot.getGameClips('Chess', { sort: 'TIME' });
    twitch.clock.set(twitch.clock.nowMs() + 600_000);

    const second = await twitch.bot.getGameClips('Chess', { sort: 'TIME', cursor: first.cursor });

    expect(second.at(0)?.id).toBe('m0');
    expect(second.length).toBe(100);
  });

  test('a window ends at a cursor that returns the same clips', async () => {
    const same = clips(3, 'c', '2026-11-20T17:00:00Z');
    await using twitch = await scriptTwitch([
      ADA,
      [asked(OF_ADA, WEEK, END), rows(same, 'a')],
      [asked(OF_ADA, WEEK, END, '&after=a'), rows(same, 'b')],
      [asked(OF_ADA, '2026-10-16T18:01:00.000Z', WEEK), { status: 403 }],
    ]);

    await expect(twitch.bot.getUserClips('ada')).rejects.toMatchObject({ fault: 'forbidden' });
  });
});
