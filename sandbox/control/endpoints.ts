import { FaultForm } from '../faults.ts';
import { endpoint } from './endpoint.ts';
import { ClockForm, EventsQuery, PlatformQuery, StreamersQuery, WorldForm } from './orders.ts';

export const getNow = endpoint({
  method: 'GET',
  path: '/now',
  summary: 'Returns the time of the simulated world.',
  answer:
    '`now` is the time of the world, and `speed` is its speed relative to the real time. `movable` is whether `POST /control/clock` may change them.',
  examples: [{ title: 'Read the time' }],
  mistakes: [{ path: '/now?zone=utc' }],
});

export const moveClock = endpoint({
  method: 'POST',
  path: '/clock',
  summary: 'Moves the clock of the world forward, or changes its speed.',
  details:
    'Only the sandbox inside a running Fanfare allows it, because Fanfare uses the same clock. The time never goes back, and a restart continues with it. ' +
    'A jump ends all waits until the new time, as after a machine was suspended.',
  answer: 'The same as the answer of [`GET /control/now`](#get-controlnow).',
  body: ClockForm,
  examples: [
    { title: 'Move the clock by an hour', body: { forwardMs: 3_600_000 } },
    { title: 'Let the time run five times as fast', body: { speed: 5 } },
  ],
  mistakes: [{ body: { speed: 0.5 } }, { body: { forwardMs: -1 } }, { body: { back: 1 } }],
});

export const describeWorld = endpoint({
  method: 'GET',
  path: '/world',
  summary: 'Lists the platforms of this sandbox and the games of the world.',
  examples: [{ title: 'Describe the world', shows: ['games'] }],
  mistakes: [{ path: '/world?game=Chess' }],
});

export const listStreamers = endpoint({
  method: 'GET',
  path: '/streamers',
  summary: 'Lists the streamers of the world. The best known ones are first; with `state=live`, the most watched ones.',
  answer:
    '`live` is the current stream; it is absent while the streamer is offline. If there are more streamers, the answer has a `cursor` for the next page.',
  query: StreamersQuery,
  examples: [{ title: 'Search for a streamer', path: '/streamers?text=grace' }],
  mistakes: [{ path: '/streamers?state=online' }, { path: '/streamers?limit=0' }],
});

export const listEvents = endpoint({
  method: 'GET',
  path: '/events',
  summary: 'Lists what happened in the world, oldest first.',
  answer:
    'Each event has `kind`: `wentLive`, `ended`, `changedGame` or `changedTitle`. `game` and `title` are those after the event. A page has up to 500 ' +
    'events. If there are more, the answer has a `cursor` for the next page.',
  query: EventsQuery,
  examples: [{ title: 'List the events since an instant', path: '/events?since=2026-11-20T17:59:50Z' }],
  mistakes: [{ path: '/events?since=yesterday' }, { path: '/events?cursor=abc' }],
});

export const listRequests = endpoint({
  method: 'GET',
  path: '/requests',
  summary: 'Counts the requests that each platform received, by route.',
  answer:
    '`latest` has the last 20 requests of the route without secrets. `status` is absent if a fault dropped the connection. Requests to `/control` are not counted.',
  query: PlatformQuery,
  examples: [
    {
      title: 'Count the requests to Discord',
      path: '/requests?platform=discord',
      before: [
        { path: '/discord/api/v10/channels/1202584131993600011/messages', authorization: 'Bot $bot', body: { content: 'Ada is live' } },
      ],
    },
  ],
  mistakes: [{ path: '/requests?platform=twich' }],
});

export const changeWorld = endpoint({
  method: 'POST',
  path: '/world',
  summary: 'Starts, changes or ends a stream of a simulated streamer.',
  details:
    'The change is visible at once on Twitch and on Kick. `GET /control/events` lists the handles of streamers, and the page of Fanfare shows who is live.',
  answer:
    '`at` is the time of the order, and `broadcastId` is the id of the stream. It is absent after `end` if the streamer was not live.',
  body: WorldForm,
  examples: [
    {
      title: 'Ada goes live',
      body: { do: 'goLive', user: 'ada', game: 'Chess', title: 'Rook endgames', viewers: 1200 },
      save: { broadcast: 'broadcastId' },
    },
    { title: 'Change the game', body: { do: 'changeGame', user: 'ada', game: 'Minecraft' } },
    { title: 'Change the title', body: { do: 'changeTitle', user: 'ada', title: 'A house for Ada' } },
    { title: 'Set the number of viewers', body: { do: 'setViewers', user: 'ada', viewers: 25000 } },
    { title: 'End the stream', body: { do: 'end', user: 'ada' } },
    { title: 'Resume the stream, for example after a lost connection', body: { do: 'goLive', user: 'ada', broadcastId: '$broadcast' } },
  ],
  mistakes: [
    { body: { do: 'goliv', user: 'ada' } },
    { body: { do: 'goLive' } },
    { body: { do: 'goLive', user: 'adda' } },
    { body: { do: 'goLive', user: 'ada', game: 'Ches' } },
    { body: { do: 'setViewers', user: 'ada', viewers: 'many' } },
    { body: { do: 'end', user: 'ada', titel: 'Bye' } },
    { body: { do: 'goLive', user: 'ada', broadcastId: '12' } },
    { body: { do: 'changeGame', user: 'grace', game: 'Chess' } },
  ],
});

export const addFault = endpoint({
  method: 'POST',
  path: '/faults',
  summary: 'Makes requests to a platform fail.',
  details:
    'A fault applies to requests from now on. If several faults of a kind match, the first one applies. Faults end with the sandbox. They do not apply to ' +
    '`/control`.',
  answer: 'The answer lists all faults. `times` is the number of requests that are left.',
  body: FaultForm,
  examples: [
    {
      title: 'The next message to Discord fails with 503',
      body: { platform: 'discord', method: 'POST', route: '/messages', kind: 'status', status: 503, times: 1 },
    },
    { title: 'Twitch limits requests, for two minutes each', body: { platform: 'twitch', kind: 'rateLimit', ms: 120000, times: 3 } },
    { title: 'The answer to the next post is lost', body: { platform: 'social', route: '/createPost', kind: 'resetAfter', times: 1 } },
  ],
  mistakes: [
    { body: { platform: 'discord', kind: 'resetAftr' } },
    { body: { platform: 'twich', kind: 'status' } },
    { body: { platform: 'discord', kind: 'status', method: 'PSOT' } },
    { body: { platform: 'discord', kind: 'status', status: 204 } },
    { body: { kind: 'status', often: true } },
  ],
});

export const listFaults = endpoint({
  method: 'GET',
  path: '/faults',
  summary: 'Lists the faults that still apply.',
  examples: [{ title: 'List the faults' }],
});

export const deleteFaults = endpoint({
  method: 'DELETE',
  path: '/faults',
  summary: 'Deletes all faults, or those of one platform.',
  answer: 'The answer lists the faults that are left.',
  query: PlatformQuery,
  examples: [{ title: 'Delete the faults of Twitch', path: '/faults?platform=twitch' }, { title: 'Delete all faults' }],
  mistakes: [{ path: '/faults?platform=twich' }],
});
