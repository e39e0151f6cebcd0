import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Fault } from '#src/errors.ts';
import { badServer, type BadAnswer } from './bad-server.ts';
import { clientAt, hasty, PLANTED, PLATFORMS } from './clients.ts';
import { failureOf } from './expecting.ts';

/** A request and its earlier reads, each with two repeats. */
const MOST_REQUESTS = 6;
const WRITERS = ['x', 'bluesky', 'mastodon'] as const;

const PAGE = `<!doctype html><title>${PLANTED}</title>`;
const HERE = String.raw`127\.0\.0\.1:\d+`;
const NO_JSON = new RegExp(`at ${HERE} returned an unexpected response: it is not JSON: check the address of the API\\.`, 'u');
const ELSEWHERE = new RegExp(
  `was answered with 30\\d: it redirects to https://elsewhere\\.invalid; is that the address of the API, and not ${HERE}\\?`,
  'u',
);

const elsewhere = (status: number): BadAnswer => ({
  status,
  headers: { location: `https://elsewhere.invalid/${PLANTED}?token=${PLANTED}` },
});

function flood(response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.on('error', () => undefined);
  const more = (): void => {
    if (response.destroyed) return;
    if (response.write(piece)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
}

/** Responses of a wrong server, and their faults for reads and for writes. */
const ANSWERS: readonly (readonly [what: string, answer: BadAnswer, message: RegExp, faults: readonly Fault[]])[] = [
  ['a page', { text: PAGE }, NO_JSON, ['malformed']],
  ['nothing', { text: '' }, /an unexpected response: nothing\./u, ['malformed']],
  ['no content', { status: 204 }, /an unexpected response: nothing\./u, ['malformed']],
  ['incomplete JSON', { text: `{"data":{"id":"1","na${PLANTED}` }, NO_JSON, ['malformed']],
  ['null', { json: null }, /an unexpected response: the answer: invalid_type\.|returned no data and no reason/u, ['malformed']],
  ['a list', { json: [PLANTED] }, /an unexpected response: the answer: invalid_type\./u, ['malformed']],
  ['a text', { json: PLANTED }, /an unexpected response: the answer: invalid_type\./u, ['malformed']],
  [
    'another JSON',
    { json: { ok: true, note: PLANTED } },
    /an unexpected response: [a-z_]+: invalid_\w+\.|returned no data and no reason: check/u,
    ['malformed'],
  ],
  [
    'compressed bytes with a wrong encoding',
    { text: '\u001F\u008B\u0008\u0000', headers: { 'content-encoding': 'gzip' } },
    NO_JSON,
    ['malformed'],
  ],
  ['a permanent redirect', elsewhere(301), ELSEWHERE, ['malformed']],
  ['a redirect', elsewhere(302), ELSEWHERE, ['malformed']],
  ['a redirect that repeats the write', elsewhere(307), ELSEWHERE, ['malformed']],
  [
    'a redirect to nowhere',
    { status: 302, headers: { location: PLANTED } },
    /answered with 302: check the address of the API/u,
    ['malformed'],
  ],
  [
    'a page with status 404',
    { status: 404, text: PAGE },
    new RegExp(`or ${HERE} is not the address of the API`, 'u'),
    // X and Bluesky refuse in JSON, so this response is not theirs.
    ['missing', 'malformed', 'unavailable'],
  ],
  [
    'a page with status 405',
    { status: 405, text: PAGE },
    new RegExp(`or ${HERE} is not the address of the API`, 'u'),
    ['missing', 'rejected', 'malformed'],
  ],
  ['an endless body', { by: flood }, /EXCEEDED_MAX_SIZE\): it is too large for a response of an API/u, ['malformed']],
  ['an outage', { status: 503, text: PAGE }, /answered with 503: the platform is unavailable; try again later\./u, ['unavailable']],
  ['a teapot', { status: 418, text: '' }, /answered with 418/u, ['rejected', 'malformed']],
];

describe.for(PLATFORMS)('%s', (platform) => {
  test.for(ANSWERS)('a read with %s as response fails with advice', async ([, answer, message, faults]) => {
    await using server = await badServer(() => answer);
    await using client = clientAt(platform, server.url, { dispatcher: hasty(50) });

    const error = await failureOf(client, client.read);

    expect({ fault: error.fault, message: error.message }).toEqual({
      fault: expect.toBeOneOf([...faults]),
      message: expect.stringMatching(message),
    });
    expect(server.lines.length).toBeLessThanOrEqual(MOST_REQUESTS);
  });
});

describe.for(WRITERS)('%s', (platform) => {
  test.for(ANSWERS)('a post with %s as response does not succeed', async ([, answer]) => {
    await using server = await badServer(() => answer);
    await using client = clientAt(platform, server.url, { dispatcher: hasty(50) });

    const { message } = await failureOf(client, client.write);

    expect(message).toMatch(/^(x|bluesky|mastodon): /u);
    expect(server.lines.filter((line) => line.startsWith('POST')).length).toBeLessThanOrEqual(1);
    expect(server.lines.length).toBeLessThanOrEqual(MOST_REQUESTS);
  });
});
