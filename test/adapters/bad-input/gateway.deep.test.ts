import { expect, test } from 'vitest';
import { failureOf as remedyOf } from '#src/engine/delivery/failure.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { badServer, type BadAnswer } from './bad-server.ts';
import { clientAt, PLANTED, type PlatformName } from './clients.ts';
import { failureOf } from './expecting.ts';

const PAGE = `<!doctype html><title>${PLANTED}</title>`;
const LOST: BadAnswer = { status: 404, text: `404 page not found, ${PLANTED}`, headers: { 'content-type': 'text/plain' } };

/** Responses of a proxy whose platform is down, or which blocks robots. */
const PROXY_ANSWERS: readonly (readonly [what: string, answer: BadAnswer])[] = [
  ['a proxy without a server', LOST],
  ['a page of a proxy', { status: 404, text: PAGE }],
  ['a firewall', { status: 403, text: PAGE }],
  ['a firewall, in a word', { status: 403, text: `error code: 1020 ${PLANTED}`, headers: { 'content-type': 'text/plain' } }],
  ['a check for browsers', { status: 403, text: PAGE, headers: { 'cf-mitigated': 'challenge' } }],
  ['a check for browsers, to programs', { status: 403, json: { note: PLANTED }, headers: { 'cf-mitigated': 'challenge' } }],
];

/** The correct responses to reads before a post. */
const BEFORE: Readonly<Record<string, BadAnswer>> = {
  'GET /2/users/me': { json: { data: { id: '7', name: 'Ada', username: 'ada' } } },
  'GET /api/v2/instance': { json: { domain: 'social.example', version: '4.6.0', api_versions: { mastodon: 10 } } },
};

const behind = (answer: BadAnswer) => (line: string) => BEFORE[line.split('?')[0] ?? ''] ?? answer;

const WRITES = (['x', 'bluesky', 'mastodon'] as const).flatMap((platform) =>
  PROXY_ANSWERS.map(([what, answer]) => [what, platform, answer] as const),
);

test.for(WRITES)('a post that %s answers instead of %s is repeated or searched for', async ([, platform, answer]) => {
  await using server = await badServer(behind(answer));
  await using client = clientAt(platform, server.url);

  const error = await failureOf(client, client.write);

  // Only Bluesky accepts a repeat without a second post.
  expect({ fault: error.fault, remedy: remedyOf(error).remedy }).toEqual(
    platform === 'bluesky' ? { fault: 'unavailable', remedy: 'repeat' } : { fault: 'unanswered', remedy: 'ask' },
  );
  expect(error.message).toMatch(/(?:from a proxy|Cloudflare in front|Cloudflare, in front).*try again later/su);
  expect(error.message.includes('may have been done')).toBe(error.fault === 'unanswered');
  expect(server.lines.filter((line) => line.startsWith('POST')).length).toBe(1);
});

test.for(['x', 'mastodon'] as const)('a post of %s does not count as deleted after a 404 of a proxy', async (platform) => {
  await using server = await badServer(() => LOST);
  await using client = clientAt(platform, server.url);

  const error = await failureOf(client, async () => client.social?.deletePost('1990000000000000001'));

  expect(error).toMatchObject({ fault: 'unavailable', status: 404 });
});

test('a sign-in of X does not count as refused after a 403 of a firewall', async () => {
  await using server = await badServer(() => ({ status: 403, text: PAGE }));
  await using client = clientAt('x', server.url, { signedIn: false });

  expect((await failureOf(client, client.read)).fault).toBe('unreachable');
});

test.for(['twitch', 'kick'] as const)('an app of %s does not count as unknown after a challenge for browsers', async (platform) => {
  await using server = await badServer(() => ({ status: 403, text: PAGE, headers: { 'cf-mitigated': 'challenge' } }));
  await using client = clientAt(platform, server.url);

  expect(await failureOf(client, client.read)).toMatchObject({ fault: 'unavailable', message: expect.stringContaining('browsers') });
});

/** The 404 of each platform. */
const MISSING_ANSWERS: readonly (readonly [platform: PlatformName, answer: BadAnswer])[] = [
  ['x', { status: 404, text: '' }],
  ['x', { status: 404, json: { title: 'Gone', type: 'about:blank', trace: PLANTED } }],
  ['x', { status: 404, text: JSON.stringify({ title: 'Gone', trace: PLANTED }), headers: { 'content-type': 'text/plain' } }],
  ['bluesky', { status: 404, text: '' }],
];

test.for(MISSING_ANSWERS)('a 404 of %s stays missing', async ([platform, answer]) => {
  await using server = await badServer(() => answer);
  await using client = clientAt(platform, server.url);

  expect((await failureOf(client, client.read)).fault).toBe('missing');
});

test('a server without the reads that each server with the API of Mastodon has is another server', async () => {
  await using server = await badServer(() => ({ status: 404, json: { error: 'Gone', trace: PLANTED } }));
  await using client = clientAt('mastodon', server.url);

  expect((await failureOf(client, client.read)).fault).toBe('malformed');
});

test('a server other than Mastodon can send a 404 as plain text', async () => {
  await using server = await badServer(() => LOST);
  await using client = clientAt('mastodon', server.url);

  expect(await failureOf(client, async () => client.social?.postDetail('9'))).toMatchObject({ fault: 'missing' });
});

/** A server with web pages for errors, as snac. */
const PAGES: Readonly<Record<string, BadAnswer>> = {
  'GET /api/v1/instance': { json: { uri: 'social.example', version: '4.2.0 (not true; compatible; snac/2.70)' } },
  'GET /api/v1/accounts/verify_credentials': { json: { id: '1', username: 'ada', acct: 'ada' } },
};

test('deleting succeeds if a server reports the missing post in a page', async () => {
  await using server = await badServer((line) => PAGES[line] ?? { status: 404, text: PAGE });
  await using client = clientAt('mastodon', server.url);

  expect(await whileSleeping(client.clock, Promise.resolve(client.social?.deletePost('9')))).toBe(true);
});

test('deleting an existing post fails if the server lacks the route', async () => {
  const status = { id: '9', uri: '', account: { id: '1', username: 'ada', acct: 'ada' }, content: '', created_at: '2026-11-20T18:00:00Z' };
  const answers: Readonly<Record<string, BadAnswer>> = { ...PAGES, 'GET /api/v1/statuses/9': { json: status } };
  await using server = await badServer((line) => answers[line] ?? { status: 404, text: PAGE });
  await using client = clientAt('mastodon', server.url);

  expect(await failureOf(client, async () => client.social?.deletePost('9'))).toMatchObject({ fault: 'rejected' });
});
