import { describe, expect, test } from 'vitest';
import { history } from '#adapters/discord/history.ts';
import { discord } from '#adapters/discord/index.ts';
import { kickEventsApi } from '#adapters/kick/events/api.ts';
import { eventSubApi } from '#adapters/twitch/eventsub/api.ts';
import { httpClient } from '#src/http/client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp } from '../support/script-http.ts';
import { liveRow, rows as kickRows, scriptKick } from './kick/script-kick.ts';
import { DID, scriptBluesky, session } from './bluesky/script-bluesky.ts';
import { scriptMastodon, statusRow } from './mastodon/script-mastodon.ts';
import { askPictures, clipRow, gameRow, rows, scriptTwitch, streamRow, userRow } from './twitch/script-twitch.ts';
import { postRow, rows as xRows, scriptX, userRow as xUserRow } from './x/script-x.ts';

const ADA = ['GET /helix/users?login=ada', rows([userRow('42', 'ada')])] as const;
const ids = (items: Iterable<{ readonly id: string }>): readonly string[] => Array.from(items, ({ id }) => id);
const unreadable = (path: string, ...values: readonly string[]) => [
  { fault: 'malformed', message: `A row of the response is invalid: ${path}.`, values },
];

describe('an unreadable row does not fail the page', () => {
  test('Twitch clips; an instant without T and zone is UTC', async () => {
    const page = rows([clipRow('a', { created_at: '2026-11-20 23:21:34' }), clipRow('b', { created_at: 'soon' })]);
    await using twitch = await scriptTwitch([ADA, ['GET /helix/clips?broadcaster_id=42&first=100', page]]);

    const clips = await twitch.bot.getUserClips('ada', { sort: 'VIEWS' });

    expect(clips.items).toMatchObject([{ id: 'a', createdAt: new Date('2026-11-20T23:21:34Z') }]);
    expect(clips.partialErrors).toEqual(unreadable('created_at', 'b'));
  });

  test('Twitch streams from several pages', async () => {
    await using twitch = await scriptTwitch([
      ['GET /helix/streams?first=100', rows([streamRow('ada'), streamRow('grace', { viewer_count: -1 })], 'a')],
      ['GET /helix/streams?first=100&after=a', rows([streamRow('linus')])],
    ]);

    const streams = await twitch.bot.getTopStreams({ tags: ['English'] });

    expect(ids(streams)).toEqual(['s-ada', 's-linus']);
    expect(streams.partialErrors).toEqual(unreadable('viewer_count', 'u-grace', 'grace'));
  });

  test('Twitch streams of channels: the entry names the channel as the caller wrote it', async () => {
    const page = rows([streamRow('ada'), streamRow('grace', { title: null })]);
    await using twitch = await scriptTwitch([['GET /helix/streams?user_login=ada&user_login=grace&first=100', page], askPictures('ada')]);

    const streams = await twitch.bot.getStreams({ users: ['ada', 'Grace'] });

    expect(ids(streams)).toEqual(['s-ada']);
    expect(streams.partialErrors).toEqual(unreadable('title', 'Grace'));
  });

  test('Twitch games', async () => {
    await using twitch = await scriptTwitch([['GET /helix/games/top?first=100', rows([gameRow('1', 'Chess'), { id: '2' }])]]);

    const games = await twitch.bot.getTopGames();

    expect(ids(games)).toEqual(['1']);
    expect(games.partialErrors).toEqual(unreadable('name', '2'));
  });

  test('Kick streams', async () => {
    const page = kickRows([liveRow(1), liveRow(2, { title: 7, id: 'x' }), liveRow(3, { started_at: '2026-11-20 17:00:00' })]);
    await using kick = await scriptKick([['GET /public/v2/livestreams?limit=1000', page]]);

    const streams = await kick.bot.getTopStreams();

    expect(streams.items).toMatchObject([{ startedAt: new Date('2026-11-20T17:00:00Z'), viewerCount: 3 }, { viewerCount: 1 }]);
    expect(streams.partialErrors).toEqual(unreadable('title', 'x'));
  });

  test('subscriptions of Kick and Twitch to events that are about no channel', async () => {
    const ofApp = { id: 'a', event: 'app.updated', broadcaster_user_id: null };
    const ofChannel = { id: 'b', event: 'livestream.status.updated', broadcaster_user_id: 7 };
    const other = { id: 'c', status: 'enabled', type: 'app.updated', condition: null, transport: { conduit_id: 'one' } };
    const online = { ...other, id: 'd', type: 'stream.online', condition: { broadcaster_user_id: '42' } };
    await using server = await scriptHttp([
      ['GET /public/v1/events/subscriptions', { json: { data: [ofApp, ofChannel] } }],
      ['GET /eventsub/subscriptions?conduit_id=one', { json: { data: [other, online], total_cost: 1, max_total_cost: 10 } }],
    ]);
    const clock = new ManualClock();
    await using api = httpClient({ platform: 'test', baseUrl: server.url, clock });
    const token = { authorized: <T>(_signal: AbortSignal | undefined, send: (value: string) => Promise<T>) => send('token') };
    const { signal } = new AbortController();

    expect(await kickEventsApi({ api, token }).list(signal)).toEqual([{ id: 'b', type: 'livestream.status.updated', channelId: '7' }]);
    const { subscriptions } = await eventSubApi({ api, token, clientId: 'client', clock }).list('one', signal);
    expect(subscriptions).toMatchObject([{ id: 'd', type: 'stream.online', channelId: '42' }]);
  });

  test('Mastodon statuses', async () => {
    await using scripted = await scriptMastodon([
      ['GET /api/v1/bookmarks?limit=40', { json: [statusRow('9'), statusRow('8', { created_at: 'soon' })] }],
    ]);

    const posts = await scripted.social.getBookmarks();

    expect([ids(posts), posts.partialErrors]).toEqual([['9'], unreadable('created_at', '8')]);
  });

  test('Bluesky posts', async () => {
    const post = (rkey: string, more: object = {}): object => ({
      uri: `at://${DID}/app.bsky.feed.post/${rkey}`,
      cid: 'bafyreia',
      author: { did: DID, handle: 'ada.test' },
      record: { $type: 'app.bsky.feed.post', text: 'Hi', createdAt: '2026-11-20T17:00:00Z' },
      indexedAt: '2026-11-20T17:00:01Z',
      ...more,
    });
    const json = { posts: [post('1'), post('2', { author: 'ada' })] };
    await using scripted = await scriptBluesky([['GET /xrpc/app.bsky.feed.searchPosts?limit=100&q=chess&sort=top', { json }]], {
      kept: (url) => session(1, url),
    });

    const posts = await scripted.social.search('chess');

    expect(ids(posts)).toEqual([`at://${DID}/app.bsky.feed.post/1`]);
    expect(posts.partialErrors).toMatchObject([{ fault: 'malformed', values: [`at://${DID}/app.bsky.feed.post/2`] }]);
  });

  test('X posts', async () => {
    const page = xRows([postRow('1'), { text: 'Hi' }], { includes: { users: [xUserRow('ada')] } });
    await using x = await scriptX([['GET /2/users/42/tweets?max_results=100&exclude=replies', page]]);

    const posts = await x.social.getPosts('42');

    expect(ids(posts)).toEqual(['1']);
    expect(posts.partialErrors).toEqual(unreadable('id'));
  });

  test('Discord messages', async () => {
    const message = { id: '10', channel_id: '7', author: { id: '1', username: 'ada' }, content: 'Hi', embeds: [], components: [] };
    const wire = [
      { ...message, timestamp: '2026-11-20 17:00:00' },
      { ...message, id: '11', timestamp: 'soon' },
    ];
    const past = history(({ answer }) => Promise.resolve(answer.parse(wire)));

    const page = await past.readablePage('7', {});

    expect(page.rows).toMatchObject([{ id: '10', timestamp: new Date('2026-11-20T17:00:00Z') }]);
    expect(page.partialErrors).toEqual(unreadable('timestamp', '11'));
  });
});

test('the search for a thread whose creation was not answered fails, because an unreadable thread can be this one', async () => {
  const GUILD = '1202584131993600001';
  const row = { id: '900', name: 'Bets', parent_id: '7', owner_id: '1' };
  await using server = await scriptHttp([
    [`GET /v10/guilds/${GUILD}/channels`, { json: [{ id: '7', name: 'live', type: 0 }] }],
    ['GET /v10/users/@me', { json: { id: '1', username: 'Fanfare' } }],
    [
      `GET /v10/guilds/${GUILD}/threads/active`,
      {
        json: {
          threads: [
            { ...row, name: null },
            { ...row, name: 'Other' },
          ],
        },
      },
    ],
  ]);
  const clock = new ManualClock();
  const { recover } = discord({ token: 'a-token', guildId: GUILD, apiUrl: server.url, clock });
  const options = { key: 'k', since: new Date(clock.nowMs()), taken: new Set<string>() };

  await expect(recover?.thread?.({ channel: 'live', name: 'Bets' }, options)).rejects.toMatchObject({ fault: 'malformed' });
});

test('if no row is readable, the answer is malformed', async () => {
  await using twitch = await scriptTwitch([['GET /helix/games/top?first=100', rows([{ id: '1' }, { id: '2' }])]]);

  await expect(twitch.bot.getTopGames()).rejects.toMatchObject({ fault: 'malformed' });
});
