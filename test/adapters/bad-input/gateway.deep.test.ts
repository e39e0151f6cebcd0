import { expect, test } from 'vitest';
import { failureOf as remedyOf } from '#src/delivery/failure.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { badServer, type BadAnswer } from './bad-server.ts';
import { clientAt, PLANTED, type PlatformName } from './clients.ts';
import { failureOf } from './expecting.ts';

const PAGE = `<!doctype html><title>${PLANTED}</title>`;
const LOST: BadAnswer = { status: 404, text: `404 page not found, ${PLANTED}`, headers: { 'content-type': 'text/plain' } };

/** What stands in front of a platform says where the platform is away, or where it takes who asks for a robot. */
const PROXY_ANSWERS: readonly (readonly [what: string, answer: BadAnswer])[] = [
  ['a proxy that has nobody behind it', LOST],
  ['a page of a proxy', { status: 404, text: PAGE }],
  ['a firewall', { status: 403, text: PAGE }],
  ['a firewall, in a word', { status: 403, text: `error code: 1020 ${PLANTED}`, headers: { 'content-type': 'text/plain' } }],
  ['a check for browsers', { status: 403, text: PAGE, headers: { 'cf-mitigated': 'challenge' } }],
  ['a check for browsers, to programs', { status: 403, json: { note: PLANTED }, headers: { 'cf-mitigated': 'challenge' } }],
];

/** What is read before a post, as it should be. */
const BEFORE: Readonly<Record<string, BadAnswer>> = {
  'GET /2/users/me': { json: { data: { id: '7', name: 'Ada', username: 'ada' } } },
  'GET /api/v2/instance': { json: { domain: 'social.example', version: '4.6.0', api_versions: { mastodon: 10 } } },
};

const behind = (answer: BadAnswer) => (line: string) => BEFORE[line.split('?')[0] ?? ''] ?? answer;

const WRITES = (['x', 'bluesky', 'mastodon'] as const).flatMap((platform) =>
  PROXY_ANSWERS.map(([what, answer]) => [what, platform, answer] as const),
);

test.for(WRITES)('a post that %s answers, and not %s, is not given up', async ([, platform, answer]) => {
  await using server = await badServer(behind(answer));
  await using client = clientAt(platform, server.url);

  const error = await failureOf(client, client.write);

  // Only Bluesky can be asked again without a second post.
  expect({ fault: error.fault, remedy: remedyOf(error).remedy }).toEqual(
    platform === 'bluesky' ? { fault: 'unavailable', remedy: 'repeat' } : { fault: 'unanswered', remedy: 'ask' },
  );
  expect(error.message).toMatch(/in front of it.*try again later/su);
  expect(error.message.includes('may have been done')).toBe(error.fault === 'unanswered');
  expect(server.lines.filter((line) => line.startsWith('POST')).length).toBe(1);
});

test.for(['x', 'mastodon'] as const)('a post of %s is not taken for deleted because a proxy knows of none', async (platform) => {
  await using server = await badServer(() => LOST);
  await using client = clientAt(platform, server.url);

  const error = await failureOf(client, async () => client.social?.deletePost('1990000000000000001'));

  expect(error).toMatchObject({ fault: 'unavailable', status: 404 });
});

test('a sign-in of X is not taken for refused because a firewall lets nobody through', async () => {
  await using server = await badServer(() => ({ status: 403, text: PAGE }));
  await using client = clientAt('x', server.url, { signedIn: false });

  expect((await failureOf(client, client.read)).fault).toBe('unreachable');
});

test.for(['twitch', 'kick'] as const)('an app of %s is not taken for unknown because only browsers are let through', async (platform) => {
  await using server = await badServer(() => ({ status: 403, text: PAGE, headers: { 'cf-mitigated': 'challenge' } }));
  await using client = clientAt(platform, server.url);

  expect(await failureOf(client, client.read)).toMatchObject({ fault: 'unavailable', message: expect.stringContaining('browsers') });
});

/** Nothing is there, as platforms say it. */
const MISSING_ANSWERS: readonly (readonly [platform: PlatformName, answer: BadAnswer])[] = [
  ['x', { status: 404, text: '' }],
  ['x', { status: 404, json: { title: PLANTED, type: 'about:blank' } }],
  ['x', { status: 404, text: JSON.stringify({ title: PLANTED }), headers: { 'content-type': 'text/plain' } }],
  ['bluesky', { status: 404, text: '' }],
  ['mastodon', { status: 404, json: { error: PLANTED } }],
];

test.for(MISSING_ANSWERS)('what %s itself does not have stays missing', async ([platform, answer]) => {
  await using server = await badServer(() => answer);
  await using client = clientAt(platform, server.url);

  expect((await failureOf(client, client.read)).fault).toBe('missing');
});

test('a server that others wrote may say in a word what it does not have', async () => {
  await using server = await badServer(() => LOST);
  await using client = clientAt('mastodon', server.url);

  expect(await failureOf(client, async () => client.social?.postDetail('9'))).toMatchObject({ fault: 'missing' });
});

/** A server that says in pages what it does not have, as snac does. */
const PAGES: Readonly<Record<string, BadAnswer>> = {
  'GET /api/v1/instance': { json: { uri: 'social.example', version: '4.2.0 (not true; compatible; snac/2.70)' } },
  'GET /api/v1/accounts/verify_credentials': { json: { id: '1', username: 'ada', acct: 'ada' } },
};

test('a post that is gone is gone, also where a server says so in a page', async () => {
  await using server = await badServer((line) => PAGES[line] ?? { status: 404, text: PAGE });
  await using client = clientAt('mastodon', server.url);

  expect(await whileSleeping(client.clock, Promise.resolve(client.social?.deletePost('9')))).toBe(true);
});

test('a post that stands is not deleted, whatever a server lacks', async () => {
  const status = { id: '9', uri: '', account: { id: '1', username: 'ada', acct: 'ada' }, content: '', created_at: '2026-11-20T18:00:00Z' };
  const stands: Readonly<Record<string, BadAnswer>> = { ...PAGES, 'GET /api/v1/statuses/9': { json: status } };
  await using server = await badServer((line) => stands[line] ?? { status: 404, text: PAGE });
  await using client = clientAt('mastodon', server.url);

  expect(await failureOf(client, async () => client.social?.deletePost('9'))).toMatchObject({ fault: 'rejected' });
});
