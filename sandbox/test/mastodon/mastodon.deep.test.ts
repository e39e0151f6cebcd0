import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { FormData } from 'undici';
import { openMastodon, refusalOf } from './open-mastodon.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('a status has its mentions, hashtags and links, and is found by its id', async () => {
  await using server = await openMastodon();

  const status = await server.masto.v1.statuses.create({ status: 'Hello @ada, see https://example.com/a #Chess' });

  expect(status).toMatchObject({ visibility: 'public', mentions: [{ acct: 'ada' }], tags: [{ name: 'chess' }] });
  expect(status.content).toContain('<span class="invisible">https://</span>');
  expect(await server.anonymous.v1.statuses.$select(status.id).fetch()).toMatchObject({ id: status.id, url: status.url });
});

test('statuses of one millisecond keep their order, and pages continue after new statuses', async () => {
  await using server = await openMastodon();
  const created = [];
  for (const status of ['a', 'b', 'c', 'd']) created.push(await server.masto.v1.statuses.create({ status }));
  const me = await server.masto.v1.accounts.verifyCredentials();
  const ids = created.map(({ id }) => BigInt(id));

  const first = await server.masto.v1.accounts.$select(me.id).statuses.list({ limit: 2 });
  await server.masto.v1.statuses.create({ status: 'e' });
  const second = await server.masto.v1.accounts.$select(me.id).statuses.list({ limit: 2, maxId: first.at(-1)?.id ?? '' });

  expect(ids).toEqual(ids.toSorted((a, b) => Number(a - b)));
  expect([...first, ...second].map(({ content }) => content)).toEqual(['<p>d</p>', '<p>c</p>', '<p>b</p>', '<p>a</p>']);
});

test('the server deduplicates a key for one hour', async () => {
  await using server = await openMastodon();
  const create = async (): Promise<string> => {
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' };
    const answer = await server.send('/api/v1/statuses', { method: 'POST', headers, body: JSON.stringify({ status: 'once' }) });
    return ((await answer.json()) as { readonly id: string }).id; // the server answers with a status
  };

  const [first, repeated] = [await create(), await create()];
  await server.clock.advance(3_600_001);
  const later = await create();

  expect(repeated).toBe(first);
  expect(later).not.toBe(first);
});

test.for([
  ['the fault ignoreKey', { fault: true, settings: {} }],
  ['a server without keys', { fault: false, settings: { kind: 'bare' } }],
] as const)('%s makes a second status', async ([, { fault, settings }]) => {
  await using server = await openMastodon();
  await server.configure(settings);
  if (fault) server.sandbox.faults.add({ platform: 'mastodon', kind: 'ignoreKey' });
  const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ status: 'twice' }) };

  await server.send('/api/v1/statuses', init);
  await server.send('/api/v1/statuses', init);

  expect(await server.masto.v1.accounts.verifyCredentials()).toMatchObject({ statusesCount: 2 });
});

test('an edit keeps every version and removes files that it does not name', async () => {
  await using server = await openMastodon();
  const file = await server.masto.v2.media.create({ file: new Blob([PNG]), description: 'a dot' });
  const status = await server.masto.v1.statuses.create({ status: 'before', mediaIds: [file.id] });
  await server.clock.advance(60_000);

  const edited = await server.masto.v1.statuses.$select(status.id).update({ status: 'after' });

  expect(status.mediaAttachments).toMatchObject([{ id: file.id, description: 'a dot' }]);
  expect(edited).toMatchObject({ id: status.id, content: '<p>after</p>', mediaAttachments: [] });
  const history = await server.masto.v1.statuses.$select(status.id).history.list();
  expect(history.map(({ content }) => content)).toEqual(['<p>before</p>', '<p>after</p>']);
});

test('a video is processed before a status can contain it', async () => {
  await using server = await openMastodon();
  const form = new FormData();
  form.append('file', new Blob([Buffer.from('\0\0\0\x18ftypmp42 video', 'latin1')]));

  const answer = await server.send('/api/v2/media', { method: 'POST', body: form });
  const file = (await answer.json()) as { readonly id: string; readonly url: string | null }; // the server answers with a file
  const tooEarly = await refusalOf(server.masto.v1.statuses.create({ status: 'video', mediaIds: [file.id] }));
  await server.clock.advance(3000);
  const status = await server.masto.v1.statuses.create({ status: 'video', mediaIds: [file.id] });

  expect([answer.status, file.url, tooEarly[0]]).toEqual([202, null, 422]);
  expect(status.mediaAttachments).toMatchObject([{ id: file.id, type: 'video' }]);
});

test('private posts are for followers, and direct posts for mentioned people', async () => {
  await using server = await openMastodon();
  const ada = await server.as('ada');
  const grace = await server.as('grace');
  const direct = await server.masto.v1.statuses.create({ status: 'hello @ada', visibility: 'direct' });

  expect(await ada.v1.statuses.$select(direct.id).fetch()).toMatchObject({ visibility: 'direct' });
  expect(await refusalOf(grace.v1.statuses.$select(direct.id).fetch())).toEqual([404, 'Record not found']);
  expect((await ada.v1.conversations.list())[0]).toMatchObject({ unread: true, lastStatus: { id: direct.id } });
});

test('a poll accepts one vote of another account until it ends', async () => {
  await using server = await openMastodon();
  const ada = await server.as('ada');
  const { poll } = await server.masto.v1.statuses.create({ status: 'which?', poll: { options: ['a', 'b'], expiresIn: 300 } });
  const votes = ada.v1.polls.$select(poll?.id ?? '').votes;

  expect(await votes.create({ choices: [1] })).toMatchObject({ votesCount: 1, ownVotes: [1] });
  expect((await refusalOf(votes.create({ choices: [0] })))[0]).toBe(422);
  await server.clock.advance(300_000);
  expect((await refusalOf((await server.as('grace')).v1.polls.$select(poll?.id ?? '').votes.create({ choices: [0] })))[0]).toBe(422);
});

test('reactions are idempotent, and a quote refers to its post', async () => {
  await using server = await openMastodon();
  const { id } = await server.masto.v1.statuses.create({ status: 'original' });
  const one = server.masto.v1.statuses.$select(id);
  for (let round = 0; round < 2; round++) {
    await one.favourite();
    await one.bookmark();
    await one.pin();
    await one.reblog();
  }
  const quote = await server.masto.v1.statuses.create({ status: 'quote', quotedStatusId: id });

  const status = await one.fetch();
  expect(status).toMatchObject({ favouritesCount: 1, reblogsCount: 1, favourited: true, bookmarked: true, pinned: true, reblogged: true });
  expect(quote.quote).toMatchObject({ state: 'accepted', quotedStatus: { id } });
});

test('lists contain followed accounts, and only their owner sees them', async () => {
  await using server = await openMastodon();
  const ada = await server.masto.v1.accounts.lookup({ acct: 'ada' });
  const list = await server.masto.v1.lists.create({ title: 'streams' });
  const members = server.masto.v1.lists.$select(list.id).accounts;

  expect((await refusalOf(members.create({ accountIds: [ada.id] })))[0]).toBe(404);
  await server.masto.v1.accounts.$select(ada.id).follow();
  await members.create({ accountIds: [ada.id] });

  expect(await members.list()).toMatchObject([{ acct: 'ada' }]);
  expect((await refusalOf((await server.as('ada')).v1.lists.$select(list.id).fetch()))[0]).toBe(404);
});

test('notifications report mentions, favourites and follows, and filter by type', async () => {
  await using server = await openMastodon();
  const ada = await server.as('ada');
  const me = await server.masto.v1.accounts.verifyCredentials();
  const status = await server.masto.v1.statuses.create({ status: 'mine' });
  await ada.v1.statuses.$select(status.id).favourite();
  await ada.v1.statuses.create({ status: 'hi @fanfare' });
  await ada.v1.accounts.$select(me.id).follow();

  const all = await server.masto.v1.notifications.list({ limit: 3 });
  const follows = await server.masto.v1.notifications.list({ types: ['follow'] });

  expect(all.map(({ type }) => type).toSorted()).toEqual(['favourite', 'follow', 'mention']);
  expect(follows).toMatchObject([{ type: 'follow', account: { acct: 'ada' } }]);
});

test('a scheduled status is published at its time, or cancelled', async () => {
  await using server = await openMastodon();
  const at = (minutes: number): string => new Date(server.clock.nowMs() + minutes * 60_000).toISOString();
  const later = await server.masto.v1.statuses.create({ status: 'later', scheduledAt: at(10) });
  const never = await server.masto.v1.statuses.create({ status: 'never', scheduledAt: at(10) });

  expect((await refusalOf(server.masto.v1.statuses.create({ status: 'soon', scheduledAt: at(2) })))[0]).toBe(422);
  expect((await server.masto.v1.scheduledStatuses.list()).map(({ id }) => id)).toEqual([never.id, later.id]);
  await server.masto.v1.scheduledStatuses.$select(never.id).remove();
  await server.clock.advance(10 * 60_000);

  const me = await server.masto.v1.accounts.verifyCredentials();
  const statuses = await server.masto.v1.accounts.$select(me.id).statuses.list();
  expect(statuses.map(({ content }) => content)).toEqual(['<p>later</p>']);
});

test('kinds of servers differ in version, quotes, ids and routes', async () => {
  await using server = await openMastodon();
  expect(await server.masto.v2.instance.fetch()).toMatchObject({ version: '4.6.0', apiVersions: { mastodon: 10 } });

  await server.configure({ kind: '4.2' });
  expect(Object.keys(await server.masto.v1.statuses.create({ status: 'old' })).filter((name) => /quote/i.test(name))).toEqual([]);

  await server.configure({ kind: 'bare' });
  const bare = await server.masto.v1.statuses.create({ status: 'bare' });
  expect(bare.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect((await refusalOf(server.masto.v2.instance.fetch()))[0]).toBe(404);
  expect((await server.send('/api/v1/instance')).headers.get('x-ratelimit-limit')).toBeNull();
});

test('answers have the rate limit, and the server refuses requests beyond it', async () => {
  await using server = await openMastodon();
  await server.configure({ requestLimit: 2 });

  const answers = [];
  for (let index = 0; index < 3; index++) answers.push(await server.send('/api/v1/instance'));

  expect(answers.map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining')])).toEqual([
    [200, '1'],
    [200, '0'],
    [429, '0'],
  ]);
  expect(answers[0]?.headers.get('x-ratelimit-reset')).toMatch(/^\d{4}-.*\.\d{6}Z$/);
});

test('lists show the faults emptyList, shortList, repeatedItem and endlessCursor', async () => {
  await using server = await openMastodon();
  for (const status of ['a', 'b', 'c', 'd']) await server.masto.v1.statuses.create({ status });
  const me = await server.masto.v1.accounts.verifyCredentials();
  const path = `/api/v1/accounts/${me.id}/statuses?limit=2`;
  const all = (await (await server.send(path)).json()) as readonly { readonly id: string }[]; // the server answers with statuses
  const maxId = all[1]?.id;
  const lengths = async (kind: 'emptyList' | 'shortList' | 'repeatedItem'): Promise<number> => {
    server.sandbox.faults.add({ platform: 'mastodon', kind, times: 1 });
    return ((await (await server.send(`${path}&max_id=${maxId}`)).json()) as readonly unknown[]).length; // a list
  };

  expect([await lengths('emptyList'), await lengths('shortList')]).toEqual([0, 1]);
  server.sandbox.faults.add({ platform: 'mastodon', kind: 'repeatedItem', times: 1 });
  expect(await (await server.send(`${path}&max_id=${maxId}`)).json()).toMatchObject([{ id: maxId }, {}]);
  server.sandbox.faults.add({ platform: 'mastodon', kind: 'endlessCursor', times: 1 });
  expect((await server.send(`${path}&max_id=${maxId}`)).headers.get('link')).toContain(`max_id=${maxId}>; rel="next"`);
});

test('a browser sign-in with PKCE yields a token for its scopes', async () => {
  await using server = await openMastodon();
  const redirectUri = 'http://127.0.0.1:9/callback';
  const verifier = 'v'.repeat(64);
  const app = await server.masto.v1.apps.create({ clientName: 'Test', redirectUris: redirectUri, scopes: 'read' });
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const parameters = { client_id: app.clientId ?? '', redirect_uri: redirectUri, response_type: 'code', scope: 'read', state: 's' };
  const form = new URLSearchParams({ ...parameters, code_challenge: challenge, code_challenge_method: 'S256', decision: 'authorize' });

  const agreed = await server.send('/oauth/authorize', { method: 'POST', body: form.toString(), redirect: 'manual' });
  const target = new URL(agreed.headers.get('location') ?? '');
  const exchange = (codeVerifier: string): ReturnType<typeof server.send> => {
    const code = target.searchParams.get('code') ?? '';
    const client = { client_id: app.clientId ?? '', client_secret: app.clientSecret ?? '', redirect_uri: redirectUri };
    const body = new URLSearchParams({ ...client, grant_type: 'authorization_code', code, code_verifier: codeVerifier });
    return server.send('/oauth/token', { method: 'POST', body });
  };
  const issued = await exchange(verifier);
  const repeated = await exchange(verifier);

  expect(target.searchParams.get('state')).toBe('s');
  expect([issued.status, repeated.status]).toEqual([200, 400]);
  expect(await issued.json()).toMatchObject({ token_type: 'Bearer', scope: 'read' });
});

test('the server refuses missing scopes, unknown tokens and a suspended account', async () => {
  await using server = await openMastodon();
  const reader = await server.as('fanfare', 'read');

  expect(await refusalOf(reader.v1.statuses.create({ status: 'no' }))).toEqual([403, 'This action is outside the authorized scopes']);
  const unknown = await server.send('/api/v1/timelines/home', { headers: { authorization: 'Bearer unknown' } });
  expect(unknown.status).toBe(401);
  await server.configure({ suspended: true });
  expect((await refusalOf(server.masto.v1.timelines.home.list()))[0]).toBe(403);
});

test('statuses survive a restart under the same ids', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = await openMastodon({ file });
  const status = await before.masto.v1.statuses.create({ status: 'kept', spoilerText: 'warning' });
  await before[Symbol.asyncDispose]();

  await using after = await openMastodon({ file, clock: before.clock });

  expect(await after.masto.v1.statuses.$select(status.id).fetch()).toMatchObject({ id: status.id, spoilerText: 'warning' });
  await rm(folder, { recursive: true });
});
