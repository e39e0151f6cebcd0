import { expect, test } from 'vitest';
import { httpClient, type HttpRequest } from '#src/http/client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp, type Reply } from '../support/script-http.ts';

const START = '2026-11-20T18:00:00Z';
const SECOND_MS = 1_000;
const MOST_MS = 15 * 60 * SECOND_MS;
const WEEK_S = 7 * 24 * 3600;

const JSON_BODY = { json: {} };
const PAGE: Reply = { text: '<html><h1>Maintenance</h1></html>' };
const TEXT: Reply = { text: 'upstream connect error', headers: { 'content-type': 'text/plain' } };
const CHALLENGE: Reply = { ...PAGE, headers: { 'cf-mitigated': 'challenge' } };

interface Row {
  readonly status: number;
  /** The value of `Retry-After`. */
  readonly after: string;
  readonly body: Reply;
  readonly request?: Partial<HttpRequest>;
  /** How long all requests wait; undefined: they do not wait. */
  readonly pauseMs: number | undefined;
}

const ROWS: readonly Row[] = [
  { status: 503, after: '60', body: JSON_BODY, pauseMs: 60 * SECOND_MS },
  { status: 503, after: '0.5', body: JSON_BODY, pauseMs: SECOND_MS / 2 },
  { status: 503, after: '0', body: JSON_BODY, pauseMs: 0 },
  { status: 503, after: '901', body: JSON_BODY, pauseMs: MOST_MS },
  { status: 503, after: String(WEEK_S), body: JSON_BODY, pauseMs: MOST_MS },
  { status: 503, after: String(WEEK_S), body: JSON_BODY, request: { creates: true }, pauseMs: MOST_MS },
  { status: 502, after: String(WEEK_S), body: {}, request: { refusesInJson: true }, pauseMs: MOST_MS },
  { status: 503, after: 'Fri, 20 Nov 2026 18:02:00 GMT', body: JSON_BODY, pauseMs: 120 * SECOND_MS },
  { status: 503, after: 'Fri, 27 Nov 2026 18:00:00 GMT', body: JSON_BODY, pauseMs: MOST_MS },
  { status: 503, after: 'Fri, 20 Nov 2026 17:00:00 GMT', body: JSON_BODY, pauseMs: undefined },
  { status: 503, after: '-60', body: JSON_BODY, pauseMs: undefined },
  { status: 503, after: 'Infinity', body: JSON_BODY, pauseMs: undefined },
  { status: 503, after: 'later', body: JSON_BODY, pauseMs: undefined },
  { status: 503, after: '60', body: PAGE, pauseMs: undefined },
  { status: 503, after: String(WEEK_S), body: PAGE, request: { creates: true }, pauseMs: undefined },
  { status: 503, after: String(WEEK_S), body: PAGE, request: { refusesInPages: true }, pauseMs: MOST_MS },
  { status: 403, after: '60', body: CHALLENGE, pauseMs: undefined },
  { status: 503, after: '60', body: TEXT, request: { refusesInJson: true }, pauseMs: undefined },
  { status: 503, after: '60', body: TEXT, pauseMs: 60 * SECOND_MS },
  { status: 404, after: '60', body: PAGE, request: { refusesInJson: true }, pauseMs: undefined },
  { status: 429, after: String(WEEK_S), body: JSON_BODY, pauseMs: WEEK_S * SECOND_MS },
  { status: 429, after: String(WEEK_S), body: PAGE, pauseMs: WEEK_S * SECOND_MS },
  { status: 429, after: '-60', body: JSON_BODY, pauseMs: undefined },
];

test.for(ROWS)('after $status with Retry-After: $after and $body, all requests wait for $pauseMs ms', async (row) => {
  const { status, after, body, request, pauseMs } = row;
  const clock = new ManualClock(START);
  await using server = await scriptHttp([
    ['POST /a', { ...body, status, headers: { ...body.headers, 'retry-after': after } }],
    ['POST /b', { json: {} }],
  ]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock, patienceMs: 0 });
  const end = pauseMs === undefined ? undefined : new Date(Date.parse(START) + pauseMs);

  await expect(client.request({ method: 'POST', path: '/a', ...request })).rejects.toMatchObject({ status, retryAt: end });

  if (pauseMs !== undefined) await clock.advance(pauseMs);
  const { status: next } = await client.request({ method: 'POST', path: '/b' });
  expect(next).toBe(200);
});

test('during the pause of an outage, no request is sent', async () => {
  const clock = new ManualClock(START);
  await using server = await scriptHttp([['POST /a', { ...JSON_BODY, status: 503, headers: { 'retry-after': String(WEEK_S) } }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock, patienceMs: 0 });
  await expect(client.request({ method: 'POST', path: '/a' })).rejects.toMatchObject({ fault: 'unavailable' });

  await clock.advance(MOST_MS - 1);

  const retryAt = new Date(Date.parse(START) + MOST_MS);
  await expect(client.request({ method: 'POST', path: '/b' })).rejects.toMatchObject({ fault: 'rateLimited', retryAt });
});
