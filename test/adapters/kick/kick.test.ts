import { describe, expect, test } from 'vitest';
import { channelRow, liveRow, rows, scriptKick } from './script-kick.ts';

const LIVE = 'GET /public/v2/livestreams?limit=1000';
const idsIn = (items: Iterable<{ readonly owner: { readonly id: string } }>): readonly string[] =>
  Array.from(items, ({ owner }) => owner.id);

describe('the token', () => {
  test('is requested once by client credentials and sent with every read', async () => {
    await using kick = await scriptKick([
      [LIVE, rows([])],
      [LIVE, rows([])],
    ]);

    await kick.bot.getTopStreams();
    await kick.bot.getTopStreams();

    expect(kick.server.seen[0]?.body).toBe('client_id=client&client_secret=tr0ub4dor&grant_type=client_credentials');
    expect(kick.server.seen.slice(1).map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-1']);
  });
});

describe('streams', () => {
  test('all streams are read and sorted, as complete records', async () => {
    await using kick = await scriptKick([
      [LIVE, rows([liveRow(1), liveRow(3)], 'a')],
      [`${LIVE}&cursor=a`, rows([liveRow(3), liveRow(2, { category: null, language_code: '', tags: null, thumbnail: '' })])],
    ]);

    const streams = await kick.bot.getTopStreams();

    expect(idsIn(streams)).toEqual(['3', '2', '1']);
    expect(streams.at(0)).toEqual({
      platform: 'kick',
      id: '3:1795194000',
      url: 'https://kick.com/user-3',
      owner: { platform: 'kick', id: '3', url: 'https://kick.com/user-3', handle: 'user-3', displayName: 'User_3' },
      game: {
        platform: 'kick',
        id: '15',
        url: 'https://kick.com/category/just-chatting',
        name: 'Just Chatting',
        boxArtUrl: 'https://files.kick.com/just-chatting.webp',
      },
      title: 'Stream of 3',
      viewerCount: 3,
      startedAt: new Date('2026-11-20T17:00:00Z'),
      language: 'en',
      tags: ['English'],
      mature: false,
      thumbnailUrl: 'https://images.kick.com/3/720.webp?t=1795197600000',
      fetchedAt: new Date('2026-11-20T18:00:00Z'),
    });
    expect(streams.at(1)).toMatchObject({ game: undefined, language: undefined, tags: [], thumbnailUrl: undefined });
    expect(streams).toMatchObject({ scanned: 4, approximate: false, hasNext: false });
  });

  test('a text that is no address is no picture', async () => {
    const category = { id: 15, name: 'Just Chatting', thumbnail: 'just-chatting.webp' };
    const row = liveRow(1, { category, thumbnail: '/1/720.webp' });
    await using kick = await scriptKick([
      [LIVE, rows([{ ...row, broadcaster_user: { id: 1, username: 'User_1', profile_picture: 'javascript:1' } }])],
    ]);

    const [stream] = await kick.bot.getTopStreams();

    expect([stream?.game?.boxArtUrl, stream?.thumbnailUrl, stream?.owner.avatarUrl]).toEqual([undefined, undefined, undefined]);
  });

  test('after ten requests, the order is approximate', async () => {
    const pages = Array.from({ length: 10 }, (_, index) => {
      return [index === 0 ? LIVE : `${LIVE}&cursor=p${index}`, rows([liveRow(index + 1)], `p${index + 1}`)] as const;
    });
    await using kick = await scriptKick(pages);

    const streams = await kick.bot.getTopStreams({ pages: 'all' });

    expect(streams).toMatchObject({ length: 10, scanned: 10, approximate: true, hasNext: false });
  });

  test('a list ends at a repeated cursor', async () => {
    await using kick = await scriptKick([
      [LIVE, rows([liveRow(1)], 'a')],
      [`${LIVE}&cursor=a`, rows([liveRow(2)], 'a')],
    ]);

    expect(idsIn(await kick.bot.getTopStreams())).toEqual(['2', '1']);
  });

  test('games and languages are sent together, in the spelling of Kick', async () => {
    await using kick = await scriptKick([
      ['GET /public/v2/categories?name=just+chatting&limit=100', rows([{ id: 15, name: 'Just Chatting', thumbnail: '' }])],
      ['GET /public/v2/livestreams?category_id=15&category_id=8&language_code=en&language_code=zh-HK&limit=1000', rows([liveRow(1)])],
    ]);

    const streams = await kick.bot.getStreams({ games: ['just chatting', { id: '8' }], languages: ['EN', 'zh_hk'] });

    expect(idsIn(streams)).toEqual(['1']);
  });

  test('too many or invalid games or languages are refused before any request', async () => {
    await using kick = await scriptKick([], []);
    const many = Array.from({ length: 26 }, (_, index) => ({ id: String(index) }));

    await expect(kick.bot.getStreams({ games: many })).rejects.toMatchObject({ name: 'ValidationError', path: 'games' });
    await expect(kick.bot.getStreams({ languages: ['!'] })).rejects.toMatchObject({ name: 'ValidationError', path: 'languages.0' });
  });
});

describe('channels', () => {
  const slug = (name: string) => `GET /public/v1/channels?slug=${name}`;

  test('slugs are looked up one at a time, ids in batches', async () => {
    await using kick = await scriptKick([
      {
        together: [
          [slug('user-1'), rows([channelRow(1, true)])],
          [slug('nobody'), { status: 400, json: { message: 'Invalid request', data: {} } }],
        ],
      },
      [
        'GET /public/v1/channels?broadcaster_user_id=1&broadcaster_user_id=2',
        rows([{ ...channelRow(1, true), banner_picture: 'https://kick.com/1-banner.webp' }, channelRow(2, false)]),
      ],
      ['GET /public/v1/users?id=1', rows([{ user_id: 1, name: 'User_1', profile_picture: 'https://kick.com/1.webp' }])],
    ]);

    const streams = await kick.bot.getStreams({ users: ['User-1', 'nobody', '2', 'not a slug'] });

    const owner = {
      handle: 'user-1',
      displayName: 'User_1',
      avatarUrl: 'https://kick.com/1.webp',
      bannerUrl: 'https://kick.com/1-banner.webp',
    };
    expect(streams.items).toMatchObject([{ id: '1:1795194000', owner, viewerCount: 1 }]);
    expect(streams.partialErrors).toEqual([]);
  });

  test('if one request fails, a partial error names its channels', async () => {
    await using kick = await scriptKick([
      [slug('user-1'), { status: 403 }],
      ['GET /public/v1/channels?broadcaster_user_id=2', rows([channelRow(2, true)])],
      ['GET /public/v1/users?id=2', rows([])],
    ]);

    const streams = await kick.bot.getStreams({ users: ['USER-1', '2'] });

    expect(streams.items).toMatchObject([{ owner: { handle: 'user-2', displayName: 'user-2' } }]);
    expect(streams.partialErrors).toMatchObject([{ fault: 'forbidden', values: ['USER-1'] }]);
  });

  test('if all requests fail, the call fails', async () => {
    await using kick = await scriptKick([['GET /public/v1/channels?broadcaster_user_id=2', { status: 403 }]]);

    await expect(kick.bot.getStreams({ users: ['2'] })).rejects.toMatchObject({ fault: 'forbidden' });
  });

  test('a user takes two requests, by id or slug, and unknown fields are absent', async () => {
    await using kick = await scriptKick([
      [slug('user-7'), rows([channelRow(7, true)])],
      ['GET /public/v1/users?id=7', rows([{ user_id: 7, name: 'User_7', profile_picture: 'https://kick.com/7.webp' }])],
    ]);

    expect(await kick.bot.getUser('User-7')).toEqual({
      platform: 'kick',
      id: '7',
      url: 'https://kick.com/user-7',
      handle: 'user-7',
      displayName: 'User_7',
      bio: 'About 7',
      avatarUrl: 'https://kick.com/7.webp',
      bannerUrl: undefined,
      verified: 'none',
      isLive: true,
      fetchedAt: new Date('2026-11-20T18:00:00Z'),
    });
  });
});

describe('games', () => {
  test('are counted from the streams, with the fields of a category', async () => {
    const chess = { category: { id: 8, name: 'Chess', thumbnail: '' } };
    await using kick = await scriptKick([[LIVE, rows([liveRow(5), liveRow(4, chess), liveRow(3, chess), liveRow(9, { category: null })])]]);

    const games = await kick.bot.getTopGames();

    expect(games.items).toMatchObject([
      { id: '8', name: 'Chess', viewerCount: 7, liveChannelCount: 2 },
      { id: '15', viewerCount: 5, liveChannelCount: 1, boxArtUrl: 'https://files.kick.com/just-chatting.webp' },
    ]);
  });

  test('a name is searched first, then an id; the error suggests similar names', async () => {
    const search = (name: string, ...found: readonly object[]) =>
      [`GET /public/v2/categories?name=${name}&limit=100`, rows(found)] as const;
    await using kick = await scriptKick([
      search('8'),
      ['GET /public/v2/categories?id=8&limit=100', rows([{ id: 8, name: 'Chess', thumbnail: '' }])],
      ['GET /public/v2/livestreams?category_id=8&limit=1000', rows([])],
      search('Ches', { id: 8, name: 'Chess', thumbnail: '' }),
    ]);

    expect((await kick.bot.getGameStreams(8)).length).toBe(0);
    await expect(kick.bot.getGameStreams('Ches')).rejects.toMatchObject({
      fault: 'missing',
      message: expect.stringContaining('did you mean "Chess"?'),
    });
  });
});
