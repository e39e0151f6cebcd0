import { fetch } from 'undici';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { PNG } from '../../support/media-files.ts';
import { judge, refusalOf } from './judge.ts';

test('everything that was written is there after a restart, under the same ids', async () => {
  using folder = temporaryFolder();
  const [file, clock] = [join(folder.path, 'sandbox.sqlite'), new ManualClock()];
  const key = { requestInit: { headers: { 'Idempotency-Key': 'k' } } };
  const first = await judge({ file, clock });
  const { masto } = first;
  const ada = await masto.v1.accounts.lookup({ acct: 'ada' });
  const [theirs] = await masto.v1.accounts.$select(ada.id).statuses.list({ excludeReblogs: true });
  await masto.v1.accounts.$select(ada.id).follow({ notify: true });
  const media = await masto.v2.media.create({ file: new Blob([new Uint8Array(PNG)]), description: 'pixel', skipPolling: true });
  const post = await masto.v1.statuses.create({ mediaIds: [media.id], status: 'kept', spoilerText: 'cw', visibility: 'private' }, key);
  const boost = await masto.v1.statuses.$select(theirs?.id ?? '').reblog();
  const list = await masto.v1.lists.create({ title: 'kept' });
  const scheduled = await masto.v1.statuses.create({ status: 'later', scheduledAt: new Date(clock.nowMs() + 600_000).toISOString() });
  await first.order({ kind: '4.6', locale: 'de' });
  await first[Symbol.asyncDispose]();

  await using second = await judge({ file, clock });
  const again = second.masto;

  const withoutHost = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(/127\.0\.0\.1:\d+/g, 'here'));
  expect(withoutHost(await again.v1.statuses.$select(post.id).fetch())).toEqual(withoutHost(post));
  expect((await again.v1.statuses.$select(boost.id).fetch()).reblog?.id).toBe(theirs?.id);
  expect((await again.v1.statuses.create({ status: 'kept' }, key)).id).toBe(post.id);
  expect((await again.v1.lists.$select(list.id).fetch()).title).toBe('kept');
  expect((await again.v1.scheduledStatuses.list()).map(({ id }) => id)).toEqual([scheduled.id]);
  expect((await again.v1.accounts.relationships.fetch({ id: [ada.id] }))[0]).toMatchObject({ following: true, notifying: true });
  expect((await refusalOf(again.v1.statuses.create({ status: '' })))[1]).toMatch(/^Gültigkeitsprüfung/);
});

test('the pages show what anybody may see', async () => {
  await using judged = await judge();
  const open = await judged.masto.v1.statuses.create({ status: 'for everybody' });
  await judged.masto.v1.statuses.create({ status: 'for few', visibility: 'private' });

  const home = await (await fetch(`${judged.url}/@fanfare`)).text();
  const page = await fetch(open.url ?? '');

  expect(home).toContain('for everybody');
  expect(home).not.toContain('for few');
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('for everybody')]);
});

test('requests are counted by their routes, also where clients insist on the root', async () => {
  await using judged = await judge();
  await judged.masto.v1.accounts.lookup({ acct: 'ada' });
  await judged.ask('/api/v1/accounts/lookup?acct=ada');

  const counted = await (await fetch(`${judged.sandbox.url}/control/requests`)).json();

  expect(counted).toMatchObject({
    items: [
      { route: '/api/v1/accounts/lookup', count: 1 },
      { route: '/mastodon/api/v1/accounts/lookup', count: 1 },
    ],
  });
});

test('what calls itself JSON and is none is a bad request', async () => {
  await using judged = await judge();

  const answer = await judged.ask('/api/v1/statuses', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });

  expect(answer.status).toBe(400);
});
