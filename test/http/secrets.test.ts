import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { appToken } from '#src/http/app-token.ts';
import { httpClient, type HttpRequest } from '#src/http/client.ts';
import { createLog } from '#src/log.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp, type Reply } from '../support/script-http.ts';
import { whileSleeping } from '../support/while-sleeping.ts';

const PLANTED = 'tr0ub4dor';

/** A request with a secret in every part that can hold one. */
const asking = {
  path: '/things',
  query: { token: PLANTED },
  headers: { authorization: `Bearer ${PLANTED}` },
} satisfies HttpRequest;

test.for([
  ['a refusal', { status: 400, text: `<p>${PLANTED}</p>` }],
  ['an outage', { status: 503, json: { message: PLANTED } }],
  ['a limit', { status: 429, json: { message: PLANTED } }],
  ['a dropped connection', { fail: 'before' }],
  ['half an answer', { fail: 'within', text: PLANTED, headers: { 'content-length': '99' } }],
  ['suppressedBy', { fail: 'never' }],
  ['not JSON', { text: PLANTED }],
  ['another shape', { json: { id: PLANTED } }],
] as const satisfies readonly (readonly [string, Reply])[])(
  'the error for %s contains no secret of the request and no text of the response',
  async ([, reply]) => {
    await using server = await scriptHttp([[`POST /things?token=${PLANTED}`, reply]]);
    await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock: new ManualClock(), timeoutMs: 300 });

    const error = await client
      .request({ ...asking, method: 'POST', form: { client_secret: PLANTED } })
      .then((response) => response.json(z.object({ id: z.int() })))
      .catch((reason: unknown) => reason);

    expect(error).toMatchObject({ name: 'PlatformError' });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(PLANTED);
  },
);

test('the log of repeats contains no secret', async () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = createLog({ level: 'debug', secrets: [], color: false, write: (line) => lines.push(line) });
  const down = [`GET /things?token=${PLANTED}`, { status: 503, text: PLANTED }] as const;
  await using server = await scriptHttp([down, down, down]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock, log });

  await expect(whileSleeping(clock, client.request(asking))).rejects.toThrow('503');

  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain(PLANTED);
});

test('the log conceals the token of an app', async () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = createLog({ level: 'debug', secrets: [], color: false, write: (line) => lines.push(line) });
  await using server = await scriptHttp([['POST /token', { json: { access_token: PLANTED, expires_in: 60 } }]]);
  await using auth = httpClient({ platform: 'demo', baseUrl: server.url, clock });
  const token = appToken({
    platform: 'demo',
    auth,
    path: '/token',
    clientId: 'id',
    registeredAt: 'https://dev.example/apps',
    clientSecret: 'secret',
    clock,
    log,
  });

  await token.authorized(undefined, async (value) => log.info({ echo: value }, 'a platform echoes'));

  expect(lines).toEqual([expect.stringContaining('echo=[secret]')]);
});
