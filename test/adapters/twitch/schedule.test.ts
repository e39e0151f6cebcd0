import { expect, test } from 'vitest';
import { rows, scriptTwitch, userRow } from './script-twitch.ts';
import type { Reply } from '../../support/script-http.ts';

const FIND = ['GET /helix/users?login=ada', rows([userRow('42', 'ada')])] as const;
const SCHEDULE = 'GET /helix/schedule?broadcaster_id=42&first=25';

/** Ada's schedule. The clock is at 2026-11-20 18:00 UTC. */
function schedule(segments: readonly object[] | null, more: { readonly cursor?: string; readonly vacation?: object } = {}): Reply {
  const { cursor, vacation = null } = more;
  const of = { broadcaster_id: '42', broadcaster_login: 'ada', broadcaster_name: 'Ada', vacation };
  return { json: { data: { segments, ...of }, pagination: cursor === undefined ? {} : { cursor } } };
}

function segment(id: string, start: string, more: object = {}): object {
  return {
    id,
    start_time: start,
    end_time: new Date(Date.parse(start) + 7_200_000).toISOString(),
    title: `Stream ${id}`,
    canceled_until: null,
    category: { id: '743', name: 'Chess' },
    is_recurring: false,
    ...more,
  };
}

test('the next streams of a channel are records, soonest first', async () => {
  const canceled = { canceled_until: '2026-11-22T20:00:00Z', category: null, is_recurring: true };
  await using twitch = await scriptTwitch([
    FIND,
    [SCHEDULE, schedule([segment('b/=', '2026-11-22T18:00:00Z', canceled), segment('a', '2026-11-21T18:00:00Z')])],
  ]);

  const { items } = await twitch.bot.getSchedule('ada');

  expect(items).toEqual([
    {
      platform: 'twitch',
      id: 'a',
      url: 'https://www.twitch.tv/ada/schedule?segmentID=a',
      owner: { platform: 'twitch', id: '42', url: 'https://www.twitch.tv/ada', handle: 'ada', displayName: 'Ada' },
      game: { platform: 'twitch', id: '743', url: 'https://www.twitch.tv/directory/game/Chess', name: 'Chess' },
      title: 'Stream a',
      startsAt: new Date('2026-11-21T18:00:00Z'),
      endsAt: new Date('2026-11-21T20:00:00Z'),
      canceled: false,
      recurring: false,
      fetchedAt: new Date('2026-11-20T18:00:00Z'),
    },
    expect.objectContaining({
      id: 'b/=',
      url: expect.stringMatching(/segmentID=b%2F%3D$/u),
      canceled: true,
      recurring: true,
      game: undefined,
    }),
  ]);
});

test('the list ends after the given days, although recurring streams have no end', async () => {
  await using twitch = await scriptTwitch([
    FIND,
    [SCHEDULE, schedule([segment('past', '2026-11-20T17:59:00Z'), segment('a', '2026-11-21T18:00:00Z')], { cursor: 'more' })],
    [`${SCHEDULE}&after=more`, schedule([segment('b', '2026-11-26T18:00:00Z'), segment('c', '2026-11-28T18:00:00Z')], { cursor: 'more2' })],
  ]);

  const streams = await twitch.bot.getSchedule('@Ada', { days: 7 });

  expect(streams.items.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(streams).toMatchObject({ hasNext: false, approximate: false });
});

test('streams during a vacation are canceled', async () => {
  const vacation = { start_time: '2026-11-21T00:00:00Z', end_time: '2026-11-22T00:00:00Z' };
  await using twitch = await scriptTwitch([
    FIND,
    [SCHEDULE, schedule([segment('a', '2026-11-21T18:00:00Z'), segment('b', '2026-11-22T18:00:00Z')], { vacation })],
  ]);

  expect((await twitch.bot.getSchedule('ada')).items.map(({ canceled }) => canceled)).toEqual([true, false]);
});

test.each([
  ['no schedule', { status: 404 } as const],
  ['an empty schedule', schedule(null)],
])('a channel with %s has no streams', async (_, reply) => {
  await using twitch = await scriptTwitch([FIND, [SCHEDULE, reply]]);

  expect(await twitch.bot.getSchedule('ada')).toMatchObject({ length: 0, partialErrors: [], approximate: false });
});

test('an unreadable stream is a partial error, so that rules do not take it for canceled', async () => {
  await using twitch = await scriptTwitch([FIND, [SCHEDULE, schedule([segment('a', '2026-11-21T18:00:00Z'), { id: 'b' }])]]);

  const streams = await twitch.bot.getSchedule('ada');

  expect(streams.items.map(({ id }) => id)).toEqual(['a']);
  expect(streams.partialErrors).toHaveLength(1);
});
