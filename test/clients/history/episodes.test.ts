import { expect, test } from 'vitest';
import { type EpisodeLog, type LoggedEpisode, recorded } from '#src/clients/history/recorded.ts';
import { History } from '#src/clients/history/history.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { emptyHistory } from '../../support/history.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const DAY_MS = 86_400_000;

const ada = { platform: 'twitch', id: '9', url: 'https://twitch.tv/ada', handle: 'ada', displayName: 'Ada' };

function logged(changes: Partial<LoggedEpisode> = {}): LoggedEpisode {
  const item = {
    platform: 'twitch',
    id: '41',
    title: 'Ranked',
    url: ada.url,
    owner: ada,
    game: { platform: 'twitch', id: '7', name: 'Chess' },
  };
  return {
    id: '9@1',
    rule: 'live-card',
    key: '9',
    item,
    startedMs: 1000,
    lengthMs: 7000,
    peak: { viewerCount: 12, rank: 3 },
    announced: true,
    ...changes,
  };
}

/** History over these episodes. `asked` has the filters of the log. */
function historyOf(...episodes: readonly LoggedEpisode[]): {
  readonly history: History;
  readonly asked: object[];
  readonly clock: ManualClock;
} {
  const asked: object[] = [];
  const clock = new ManualClock();
  const log: EpisodeLog = {
    list(filter) {
      asked.push(filter);
      return Promise.resolve(episodes);
    },
  };
  return { history: new History({ platform: recorded({ ...emptyHistory, catalogue, episodes: log, clock }), clock }), asked, clock };
}

test('an episode has the fields of its item', async () => {
  const { history } = historyOf(logged({ closedMs: 9000 }), logged({ id: '10@2', announced: false }));

  const { items } = await history.getEpisodes('live-card');

  expect(items).toEqual([
    {
      id: 'live-card/9@1',
      rule: 'live-card',
      key: '9',
      platform: 'twitch',
      title: 'Ranked',
      url: ada.url,
      owner: ada,
      game: { id: '7', name: 'Chess' },
      startedAt: new Date(1000),
      endedAt: new Date(9000),
      lengthMs: 7000,
      peak: { viewerCount: 12, rank: 3 },
      announced: true,
    },
    expect.objectContaining({ id: 'live-card/10@2', endedAt: undefined, announced: false }),
  ]);
});

test.for([
  ['a post', { text: 'Hello', author: ada }, { title: 'Hello', owner: ada }],
  ['a game', { name: 'Chess', url: 'https://x.test' }, { title: 'Chess', url: 'https://x.test', owner: undefined }],
  ['a user', { displayName: 'Ada', game: 'odd', owner: 'odd', title: 7 }, { title: 'Ada', owner: undefined, game: undefined }],
  ['a direct post', { text: 'Hello', visibility: 'direct' }, { title: 'Hello', visibility: 'direct' }],
  ['nothing', {}, { title: undefined, platform: undefined }],
] as const)('an episode of %s has the fields that the item has', async ([, item, expected]) => {
  const { history } = historyOf(logged({ item }));

  expect((await history.getEpisodes('live-card')).at(0)).toMatchObject(expected);
});

test('`since` is an instant or a duration', async () => {
  const { history, asked, clock } = historyOf();

  await history.getEpisodes('live-card', { since: '7d' });
  await history.getEpisodes('live-card', { since: '2026-11-20T18:00:00+01:00' });
  await history.getEpisodes('live-card', { since: new Date(5) });
  await history.getEpisodes('live-card');

  expect(asked).toMatchObject([
    { rule: 'live-card', sinceMs: clock.nowMs() - 7 * DAY_MS },
    { sinceMs: Date.parse('2026-11-20T17:00:00Z') },
    { sinceMs: 5 },
    { sinceMs: undefined },
  ]);
  for (const since of ['yesterday', '7 d', '99999999d', '']) {
    await expect(history.getEpisodes('live-card', { since })).rejects.toMatchObject({ name: 'ValidationError' });
  }
});

test('a result at the limit is approximate', async () => {
  const { history } = historyOf(...Array.from({ length: 1000 }, (_, index) => logged({ id: `${index}@1` })));

  const episodes = await history.getEpisodes('live-card');

  expect([episodes.length, episodes.approximate]).toEqual([1000, true]);
});
