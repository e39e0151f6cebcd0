import { expect, test } from 'vitest';
import type { Fault } from '#src/errors.ts';
import { badServer, type BadAnswer } from './bad-server.ts';
import { clientAt, PLANTED, type BadlyOffOptions, type PlatformName } from './clients.ts';
import { failureOf } from './expecting.ts';

/** A problem, its platform, the response to every request, the fault, and the message. */
type Refusal = readonly [
  what: string,
  platform: PlatformName,
  answer: BadAnswer | ((line: string) => BadAnswer),
  fault: Fault,
  message: RegExp,
  options?: BadlyOffOptions,
];

const FIRST_TIME = { signedIn: false };
const SIGNS = { signs: true };
/** An explanation. Messages may repeat it, and no other part of a body. */
const words = 'Sorry, this app is not "allowed" to <do> this.';

const ofX = (status: number, problem: object): BadAnswer => ({
  status,
  json: { title: words, detail: words, status, trace: PLANTED, ...problem },
});
const ofXrpc = (status: number, error: string): BadAnswer => ({ status, json: { error, message: words, trace: PLANTED } });
const problemType = (name: string): string => `https://api.twitter.com/2/problems/${name}`;
const renewing = (answer: BadAnswer) => (line: string) => (line.includes('oauth2/token') ? answer : { status: 401, json: {} });

/** Invalid times, times in the past, and times in another format. */
const NONSENSE = {
  'retry-after': 'soon',
  'x-rate-limit-reset': '-1',
  'x-ratelimit-reset': 'whenever',
  'ratelimit-reset': '',
  'ratelimit-remaining': 'NaN',
};

const REFUSALS: readonly Refusal[] = [
  // Credentials.
  [
    'a revoked sign-in',
    'x',
    { status: 401, json: { title: words } },
    'unauthorized',
    /account x must sign in again, with `npx fanfare auth x`/,
  ],
  [
    'a sign-in that cannot be renewed',
    'x',
    renewing({ status: 400, json: { error: 'invalid_request', error_description: words } }),
    'unauthorized',
    /X did not refresh the sign-in: the account x must sign in again, with `npx fanfare auth x`/,
    FIRST_TIME,
  ],
  [
    'a wrong client secret',
    'x',
    renewing({ status: 401, json: { error: 'unauthorized_client', error_description: words } }),
    'unauthorized',
    /rejects the client id and the client secret/,
    FIRST_TIME,
  ],
  [
    'keys that are wrong, or a clock that is',
    'x',
    { status: 401, json: { errors: [{ code: 32, message: words }] } },
    'unauthorized',
    /check the four keys of OAuth 1\.0a, and the clock of this machine/,
    SIGNS,
  ],
  [
    'a timestamp that X does not take',
    'x',
    { status: 401, json: { errors: [{ code: 135, message: words }] } },
    'unauthorized',
    /the clock of this machine/,
    SIGNS,
  ],
  [
    'a wrong app password',
    'bluesky',
    ofXrpc(401, 'AuthenticationRequired'),
    'unauthorized',
    /rejects this handle and app password: check both, or create an app password at/,
    FIRST_TIME,
  ],
  [
    'the main password of an account with a second factor',
    'bluesky',
    ofXrpc(401, 'AuthFactorTokenRequired'),
    'unauthorized',
    /create an app password at/,
    FIRST_TIME,
  ],
  ['a revoked session and password', 'bluesky', ofXrpc(400, 'ExpiredToken'), 'unauthorized', /rejects this handle and app password/],
  [
    'a revoked token',
    'mastodon',
    { status: 401, json: { error: words, trace: PLANTED } },
    'unauthorized',
    /rejects the token of mastodon: sign in again with `npx fanfare auth mastodon`/,
  ],
  [
    'a wrong client secret',
    'twitch',
    { status: 403, json: { status: 403, message: words } },
    'unauthorized',
    /rejects this client id and client secret: check both/,
  ],
  [
    'a wrong client id',
    'twitch',
    { status: 400, json: { status: 400, message: words } },
    'unauthorized',
    /rejects this client id and client secret: check both/,
  ],
  [
    'a wrong client',
    'kick',
    { status: 401, json: { error: 'invalid_client' } },
    'unauthorized',
    /rejects this client id and client secret: check both/,
  ],

  // Closed accounts.
  [
    'a suspended account',
    'x',
    ofX(403, { detail: 'Your account is suspended and is not permitted to access this feature.' }),
    'forbidden',
    /X has suspended the account/,
  ],
  [
    'a suspended account, in the old words',
    'x',
    { status: 403, json: { errors: [{ code: 64, message: words }] } },
    'forbidden',
    /X has suspended the account/,
  ],
  [
    'a locked account',
    'x',
    { status: 403, json: { errors: [{ code: 326, message: words }] } },
    'forbidden',
    /X has locked the account: sign in at https:\/\/x\.com/,
  ],
  [
    'an account that is taken down',
    'bluesky',
    ofXrpc(401, 'AccountTakedown'),
    'forbidden',
    /suspended or taken down this account: log in there/,
    FIRST_TIME,
  ],
  [
    'an account that is taken down after the sign-in',
    'bluesky',
    ofXrpc(400, 'AccountTakedown'),
    'forbidden',
    /the account is deactivated, suspended or taken down/,
  ],
  [
    'an account that is deactivated after the sign-in',
    'bluesky',
    ofXrpc(400, 'RepoDeactivated'),
    'forbidden',
    /the account is deactivated, suspended or taken down/,
  ],
  [
    'a suspended account',
    'mastodon',
    { status: 403, json: { error: words, trace: PLANTED } },
    'forbidden',
    /If the server has suspended the account, log in there/,
  ],

  // Permissions.
  [
    'a missing scope',
    'x',
    // X sends only the text of the status.
    ofX(403, { type: 'about:blank', title: 'Forbidden', detail: 'Forbidden' }),
    'forbidden',
    /permissions of the app at https:\/\/console\.x\.com, and sign in again with `npx fanfare auth`/,
  ],
  [
    'keys that may only read',
    'x',
    ofX(403, { type: problemType('oauth1-permissions') }),
    'forbidden',
    /the app can only read: set its permissions to "Read and write/,
    SIGNS,
  ],
  [
    'an app without a plan',
    'x',
    ofX(403, { type: problemType('client-forbidden') }),
    'forbidden',
    /the plan of the app does not include this/,
  ],
  [
    'a missing scope',
    'mastodon',
    { status: 403, json: { error: words, trace: PLANTED } },
    'forbidden',
    /read:accounts, sign in again with `npx fanfare auth mastodon`/,
  ],

  // Quotas.
  [
    'credits that are used up',
    'x',
    { status: 402, json: { title: words } },
    'quotaExhausted',
    /credits or the usage cap of the app are used up.*Fanfare does not retry/,
  ],
  [
    'a monthly cap',
    'x',
    ofX(429, { title: 'UsageCapExceeded', type: problemType('usage-capped') }),
    'quotaExhausted',
    /the usage cap of the app/,
  ],
  ...(['x', 'bluesky', 'mastodon', 'twitch', 'kick'] as const).flatMap((platform): Refusal[] => [
    [
      'a limit without an end',
      platform,
      { status: 429, text: '' },
      'rateLimited',
      /answered with 429: too many requests; try again later\./,
    ],
    [
      'a limit with an invalid end',
      platform,
      { status: 429, text: PLANTED, headers: NONSENSE },
      'rateLimited',
      /answered with 429: too many requests; try again later\./,
    ],
    [
      'a limit that ends in a year',
      platform,
      { status: 429, text: '', headers: { 'retry-after': '31536000' } },
      'rateLimited',
      /answered with 429: too many requests; try again later\./,
    ],
    [
      'a limit of two hours',
      platform,
      { status: 429, text: '', headers: { 'retry-after': '7200' } },
      'rateLimited',
      /too many requests; no request is accepted until 2026-11-20T20:00:00\.000Z\./,
    ],
  ]),

  // Successes of X with problems.
  [
    'errors instead of data',
    'x',
    { json: { errors: [{ type: problemType('resource-not-found'), title: words, detail: words }] } },
    'missing',
    /the signed-in account: it does not exist, or the account cannot see it/,
  ],
  [
    'errors of an unknown type',
    'x',
    { json: { errors: [{ type: problemType('news'), title: words, detail: words }] } },
    'rejected',
    /the signed-in account: X does not return it/,
  ],
  [
    'errors about a suspended account',
    'x',
    { json: { errors: [{ detail: 'User has been suspended: [1].', title: 'Forbidden' }] } },
    'forbidden',
    /X has suspended the account/,
  ],
  ['neither data nor errors', 'x', { json: { meta: {} } }, 'malformed', /X returned no data and no reason: check the address of the API\./],
];

test.for(REFUSALS)('%s, of %s, has the right fault and advice', async ([, platform, answer, fault, message, options]) => {
  await using server = await badServer((line) => (typeof answer === 'function' ? answer(line) : answer));
  await using client = clientAt(platform, server.url, options);

  const error = await failureOf(client, client.read);

  expect({ fault: error.fault, message: error.message }).toEqual({ fault, message: expect.stringMatching(message) });
  expect(server.lines.length).toBeLessThanOrEqual(4);
});
