import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StepNames } from '#src/rules/step.ts';

const PERSON = { platform: 'twitch', id: '1', url: 'https://www.twitch.tv/ada', handle: 'ada', displayName: 'Ada' };

const ADA = {
  platform: 'twitch',
  id: '101',
  url: 'https://www.twitch.tv/ada',
  owner: PERSON,
  game: { platform: 'twitch', id: '743', url: 'https://www.twitch.tv/directory/category/chess', name: 'Chess' },
  title: 'Speedrun: 100%',
  viewerCount: 5230,
  startedAt: '2026-11-20T15:55:00.000Z',
  language: 'en',
  tags: ['English', 'Speedrun'],
  mature: false,
  fetchedAt: '2026-11-20T18:00:00.000Z',
  rank: 1,
};

const GRACE = {
  ...ADA,
  id: '102',
  url: 'https://www.twitch.tv/grace',
  owner: { ...PERSON, id: '2', url: 'https://www.twitch.tv/grace', handle: 'grace', displayName: 'Grace' },
  game: undefined,
  title: 'Talking about compilers',
  viewerCount: 740,
  tags: [],
  rank: 2,
};

const CHANGE = { kind: 'entered', item: ADA, rank: 1, to: 1 };
const EPISODE = {
  id: '1',
  open: true,
  returned: false,
  startedAt: '2026-11-20T15:55:00.000Z',
  lengthMs: 7_500_000,
  polls: 125,
  peak: { viewerCount: 6100 },
  games: ['Celeste', 'Chess'],
  average: { viewerCount: 4812.5 },
  atPeak: { viewerCount: { at: '2026-11-20T16:40:00.000Z', item: { ...ADA, game: { ...ADA.game, name: 'Celeste' }, viewerCount: 6100 } } },
  spans: [
    { value: 'Celeste', from: '2026-11-20T15:55:00.000Z', to: '2026-11-20T17:00:00.000Z', lengthMs: 3_900_000 },
    { value: 'Chess', from: '2026-11-20T17:00:00.000Z', to: '2026-11-20T18:00:00.000Z', lengthMs: 3_600_000 },
  ],
};

const POST = { platform: 'mastodon', id: '7', url: 'https://example.social/@ada/7', text: 'Ada is live' };

/** The stored values of the variables in the examples of the reference. */
export const EXAMPLE_VALUES: JsonObject = {
  item: ADA,
  items: [ADA, GRACE],
  change: CHANGE,
  changes: { entered: [CHANGE], left: [], moved: [], changed: [], rose: [], fell: [] },
  episode: { ...EPISODE, steps: { post: POST } },
  held: [{ ...CHANGE, episode: EPISODE, open: true }],
  steps: {
    post: { ...POST, ...Object.fromEntries([['own', POST]]), on: { mastodon: POST } },
    vods: { items: [] },
    still: { id: '7' },
  },
  keep: { streams: 12 },
  command: {
    id: '1',
    name: 'schedule',
    user: { id: '8', handle: 'grace', displayName: 'Grace' },
    channel: { id: '3', name: 'general' },
    server: '2',
    locale: 'en-US',
    options: { streamer: 'ada' },
  },
  rule: { id: 'live-card', about: 'Posts a card when Ada goes live.' },
  now: '2026-11-20T18:00:00.000Z',
  lists: { team: [{ id: 'ada', line: 'Queen to {game}!' }, { id: 'grace' }] },
  it: 'Speedrun',
  index: 1,
};

/** The names in the examples: a rule that watches streams, with two steps and constants. */
export const EXAMPLE_NAMES: StepNames = {
  watch: 'streaming.getStreams',
  steps: { post: 'social.createPost', vods: 'streaming.getUserVideos', still: 'social.postDetail' },
  accounts: { post: ['mastodon'], vods: ['twitch'], still: ['mastodon'] },
  keep: { streams: 'whole' },
  command: [{ name: 'streamer', type: 'string', about: 'The name of the channel', required: true }],
  listShapes: { team: { line: 'text' } },
  constants: { vars: { least: 100, lines: { ada: 'Queen!' } }, each: { on: { id: 'chess', channel: 'chess' } } },
};
