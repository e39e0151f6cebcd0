import { expect, test } from 'vitest';
import { twitch } from '#adapters/twitch/index.ts';
import { createClients } from '#src/clients/clients.ts';
import { stepsThrough } from '#src/engine/delivery/steps.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp } from '../../support/script-http.ts';
import { rows, SIGN_IN, userRow, videoRow } from '../../adapters/twitch/script-twitch.ts';

const VIDEOS = 'GET /helix/videos?user_id=42&sort=time&first=100';

test('equal look-ups that were to begin at the same instant are one request', async () => {
  await using server = await scriptHttp([
    ...SIGN_IN,
    ['GET /helix/users?login=ada', rows([userRow('42', 'ada')])],
    [VIDEOS, rows([videoRow('v1')])],
    [VIDEOS, rows([videoRow('v2')])],
  ]);
  const clock = new ManualClock();
  const platform = twitch({ clientId: 'c', clientSecret: 's', apiUrl: `${server.url}/helix`, authUrl: `${server.url}/oauth2`, clock });
  await using _ = platform;
  const clients = createClients({ streaming: [platform], social: [], discord: [] }, clock);
  const { perform } = stepsThrough({ clients, watch: (_account, work) => work() });
  const lookUp = async (minute: number): Promise<unknown> => {
    const result = await perform({
      do: 'streaming.getUserVideos',
      account: 'twitch',
      params: { user: 'ada', sort: 'TIME' },
      key: 'k',
      plannedAt: new Date(minute * 60_000),
      since: new Date(clock.nowMs()),
      signal: new AbortController().signal,
    });
    return JSON.stringify(result).match(/"id":"(v\d)"/u)?.[1];
  };

  expect([await lookUp(1), await lookUp(1), await lookUp(1), await lookUp(2)]).toEqual(['v1', 'v1', 'v1', 'v2']);
});
