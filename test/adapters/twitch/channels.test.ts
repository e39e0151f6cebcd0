import { describe, expect, test } from 'vitest';
import { askPictures, gameRow, logins, rows, scriptTwitch, streamRow } from './script-twitch.ts';
import type { Exchange, Step } from '../../support/script-http.ts';

/** The request for these channels. */
function asked(parameter: 'user_id' | 'user_login', values: readonly string[]): string {
  return `GET /helix/streams?${values.map((value) => `${parameter}=${value}`).join('&')}&first=100`;
}

function named(count: number, from = 0): readonly string[] {
  return Array.from({ length: count }, (_, index) => `user${from + index}`);
}

describe('getStreams of users', () => {
  test('rule 13: 250 users are three parallel requests and one page without a cursor', async () => {
    await using twitch = await scriptTwitch([
      {
        together: [
          [asked('user_login', named(100)), rows([streamRow('user3', { viewer_count: 5 })], 'more')],
          [asked('user_login', named(100, 100)), rows([streamRow('user150', { viewer_count: 9 })])],
          [asked('user_login', named(50, 200)), rows([])],
        ],
      },
      askPictures('user150', 'user3'),
    ]);

    const streams = await twitch.bot.getStreams({ users: [...named(250)] });

    expect(logins(streams)).toEqual(['user150', 'user3']);
    expect(streams).toMatchObject({ hasNext: false, partialErrors: [], approximate: false });
  });

  test('the requests are in flight at the same time', async () => {
    await using twitch = await scriptTwitch([
      ['GET /helix/streams?first=100', rows([])],
      { together: [1, 2, 3].map((part) => [asked('user_login', named(100, part * 100)), { fail: 'never' }] as const) },
    ]);
    await twitch.bot.getTopStreams();
    const stop = new AbortController();
    const reading = twitch.bot.getStreams({ users: [...named(300, 100)], signal: stop.signal });
    reading.catch(() => undefined);

    await twitch.server.arrived(6);
    stop.abort(new Error('enough'));

    await expect(reading).rejects.toThrow('enough');
  });

  test('digits are ids, everything else is a login in lower case', async () => {
    await using twitch = await scriptTwitch([
      {
        together: [
          [asked('user_id', ['42']), rows([streamRow('ada')])],
          [asked('user_login', ['grace']), rows([streamRow('grace')])],
        ],
      },
      askPictures('ada', 'grace'),
    ]);

    const streams = await twitch.bot.getStreams({ users: ['42', 'Grace'] });

    expect(logins(streams)).toEqual(['ada', 'grace']);
  });

  test('a repeated name is requested and returned once', async () => {
    await using twitch = await scriptTwitch([
      {
        together: [
          [asked('user_id', ['42']), rows([streamRow('ada')])],
          [asked('user_login', ['ada']), rows([streamRow('ada')])],
        ],
      },
      askPictures('ada'),
    ]);

    const streams = await twitch.bot.getStreams({ users: ['ada', '42', 'Ada', 'ADA', '42'] });

    expect(logins(streams)).toEqual(['ada']);
  });

  test('an invalid name is not sent', async () => {
    await using twitch = await scriptTwitch([[asked('user_login', ['ada']), rows([streamRow('ada')])], askPictures('ada')]);

    const streams = await twitch.bot.getStreams({ users: ['ada', 'not a login', 'ädä', 'x'.repeat(26), 'a&b', '@ada'] });

    expect(logins(streams)).toEqual(['ada']);
  });

  test('without a valid name, nothing is sent', async () => {
    await using twitch = await scriptTwitch([], []);

    const [none, invalid] = await Promise.all([twitch.bot.getStreams({ users: [] }), twitch.bot.getStreams({ users: ['not a login'] })]);

    expect([none.length, invalid.length]).toEqual([0, 0]);
  });

  test('if one request fails, a partial error names its channels', async () => {
    await using twitch = await scriptTwitch([
      {
        together: [
          [asked('user_id', ['42']), { status: 400 }],
          [asked('user_login', ['ada']), rows([streamRow('ada')])],
        ],
      },
      askPictures('ada'),
    ]);

    const streams = await twitch.bot.getStreams({ users: ['42', 'Ada', '42'] });

    expect(logins(streams)).toEqual(['ada']);
    expect(streams.partialErrors).toEqual([{ fault: 'rejected', message: expect.stringContaining('400'), values: ['42', '42'] }]);
  });

  test('if all requests fail, the call fails', async () => {
    await using twitch = await scriptTwitch([
      {
        together: [
          [asked('user_id', ['42']), { status: 403 }],
          [asked('user_login', ['ada']), { status: 403 }],
        ],
      },
    ]);

    await expect(twitch.bot.getStreams({ users: ['42', 'ada'] })).rejects.toMatchObject({ fault: 'forbidden' });
  });

  test('games and languages filter the users', async () => {
    await using twitch = await scriptTwitch([
      ['GET /helix/games?name=Chess', rows([gameRow('743', 'Chess')])],
      [
        asked('user_login', ['ada', 'grace', 'edsger', 'alan']),
        rows([
          streamRow('ada', { language: 'en' }),
          streamRow('grace', { language: 'de' }),
          streamRow('edsger', { game_id: '1' }),
          streamRow('alan', { game_id: '' }),
        ]),
      ],
      askPictures('ada'),
    ]);

    const streams = await twitch.bot.getStreams({ users: ['ada', 'grace', 'edsger', 'alan'], games: ['Chess'], languages: ['EN'] });

    expect(logins(streams)).toEqual(['ada']);
  });
});

describe('pictures of getStreams', () => {
  const streams = (...live: readonly string[]): Exchange => [
    asked('user_login', ['ada', 'grace']),
    rows(live.map((login) => streamRow(login))),
  ];
  const avatarUrl = 'https://static-cdn.jtvnw.net/ada.png';
  const boxArtUrl = 'https://static-cdn.jtvnw.net/ttv-boxart/743-600x800.jpg';

  test('a stream has the pictures of its channel and its game, which are read once a day', async () => {
    await using twitch = await scriptTwitch([
      streams('ada'),
      askPictures('ada'),
      streams('ada', 'grace'),
      ['GET /helix/users?id=u-grace', rows([])],
    ]);

    const [first] = await twitch.bot.getStreams({ users: ['ada', 'grace'] });
    const later = await twitch.bot.getStreams({ users: ['ada', 'grace'] });

    expect(first).toMatchObject({ owner: { handle: 'ada', avatarUrl, bannerUrl: undefined }, game: { name: 'Chess', boxArtUrl } });
    expect(later.items.map(({ owner, game }) => [owner.avatarUrl, game?.boxArtUrl])).toEqual([
      [avatarUrl, boxArtUrl],
      [undefined, boxArtUrl],
    ]);
  });

  test('a stream is complete if its pictures cannot be read, and the next call reads them', async () => {
    const refused: Step = {
      together: [
        ['GET /helix/users?id=u-ada', { status: 403 }],
        ['GET /helix/games?id=743', { text: '<html>' }],
      ],
    };
    await using twitch = await scriptTwitch([streams('ada'), refused, streams('ada'), askPictures('ada')]);

    const without = await twitch.bot.getStreams({ users: ['ada', 'grace'] });
    const complete = await twitch.bot.getStreams({ users: ['ada', 'grace'] });

    expect(without.items).toMatchObject([{ title: 'ada plays', owner: { handle: 'ada' }, game: { name: 'Chess' } }]);
    expect(without.partialErrors).toEqual([]);
    expect([without, complete].map(([stream]) => stream?.owner.avatarUrl)).toEqual([undefined, avatarUrl]);
  });

  test('a stream does not wait for its pictures', async () => {
    const silent: Step = {
      together: [
        ['GET /helix/users?id=u-ada', { fail: 'never' }],
        ['GET /helix/games?id=743', rows([gameRow('743', 'Chess')])],
      ],
    };
    await using twitch = await scriptTwitch([streams('ada'), silent]);

    const reading = Promise.resolve(twitch.bot.getStreams({ users: ['ada', 'grace'] }));
    await twitch.server.arrived(5);
    await twitch.clock.advance(2_000);

    expect((await reading).items).toMatchObject([{ title: 'ada plays', owner: { handle: 'ada' } }]);
  });
});

describe('getStreams of games and languages', () => {
  test('both are sent together, page by page', async () => {
    const games = 'game_id=743&game_id=1&language=en&language=zh-hk&first=100';
    await using twitch = await scriptTwitch([
      ['GET /helix/games?name=Chess', rows([gameRow('743', 'Chess')])],
      [`GET /helix/streams?${games}`, rows([streamRow('ada')], 'a')],
      [`GET /helix/streams?${games}&after=a`, rows([streamRow('grace')])],
    ]);

    const streams = await twitch.bot.getStreams({ games: ['Chess', { id: '1' }], languages: ['EN', 'zh_HK'], pages: 2, waitTime: 0 });

    expect(logins(streams)).toEqual(['ada', 'grace']);
  });

  test('without users, games or languages, the call fails before any request', async () => {
    await using twitch = await scriptTwitch([], []);

    const reading = twitch.bot.getStreams({});

    await expect(reading).rejects.toMatchObject({ name: 'ValidationError', message: expect.stringContaining('users, games or languages') });
  });

  test('too many games are refused before any request', async () => {
    await using twitch = await scriptTwitch([], []);

    const reading = twitch.bot.getStreams({ games: named(101).map((id) => ({ id })) });

    await expect(reading).rejects.toMatchObject({ name: 'ValidationError', path: 'games' });
  });
});

/** Twitch answers so for some logins that no channel has: https://github.com/twitchdev/issues/issues/700 */
const REFUSED = { status: 400, json: { error: 'Bad Request', status: 400, message: 'Malformed query params.' } } as const;

describe('getStreams with a login that Twitch refuses', () => {
  test('reads the other channels, and asks for this one alone from then on', async () => {
    await using twitch = await scriptTwitch([
      [asked('user_login', ['ada', 'grace', 'gone', 'linus']), REFUSED],
      [asked('user_login', ['ada', 'grace']), rows([streamRow('ada')])],
      [asked('user_login', ['gone', 'linus']), REFUSED],
      [asked('user_login', ['gone']), REFUSED],
      [asked('user_login', ['linus']), rows([streamRow('linus')])],
      askPictures('ada', 'linus'),
      {
        together: [
          [asked('user_login', ['gone']), rows([])],
          [asked('user_login', ['ada', 'grace', 'linus']), rows([streamRow('grace')])],
        ],
      },
      ['GET /helix/users?id=u-grace', rows([])],
      [asked('user_login', ['ada', 'grace', 'gone', 'linus']), rows([])],
    ]);
    const users = ['ada', 'grace', 'Gone', 'linus'];

    const first = await twitch.bot.getStreams({ users });
    const second = await twitch.bot.getStreams({ users });
    const third = await twitch.bot.getStreams({ users });

    expect(logins(first)).toEqual(['ada', 'linus']);
    expect(first.partialErrors).toMatchObject([{ fault: 'rejected', values: ['Gone'] }]);
    expect([logins(second), second.partialErrors]).toEqual([['grace'], []]);
    expect([logins(third), third.partialErrors]).toEqual([[], []]);
  });
});
