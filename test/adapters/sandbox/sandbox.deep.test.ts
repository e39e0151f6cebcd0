import { expect, test } from 'vitest';
import { sandbox } from '#adapters/sandbox/index.ts';
import { recoverWrite } from '#src/clients/operation/client.ts';
import { createPost } from '#src/clients/social/posts.ts';
import { platformTopics, SocialAsync } from '#src/clients/social/social.ts';
import { socialContract } from '../../contract/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { UNREACHABLE } from '../../support/unreachable.ts';
import { openSocial } from './open-social.ts';

socialContract(openSocial);

test('every operation is native, except the assistant', async () => {
  await using fixture = await openSocial();
  const { operations, capabilities } = fixture.platform;
  const names = platformTopics.flatMap((topic) => Object.values(topic)).map(({ declared }) => declared.name);

  expect(new Set(Object.keys(operations))).toEqual(new Set(names));
  const native = Object.entries(capabilities).filter(([, { support }]) => support === 'native');
  expect(new Set(native.map(([name]) => name))).toEqual(new Set(names));
  expect(capabilities.getAssistantResponse).toMatchObject({ support: 'unsupported', reason: 'PROVIDER_MISSING' });
});

test('a platform that ignores keys makes a second post, which reconciliation prevents', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const since = new Date(fixture.clock.nowMs());
  const first = await social.createPost('twice', { key: 'k', since });
  fixture.sandbox.faults.add({ platform: 'social', kind: 'ignoreKey' });

  const recovery = await recoverWrite(social, createPost.declared, { text: 'twice' }, { key: 'k', since, taken: new Set() });
  await social.createPost('twice', { key: 'k', since });

  expect(recovery).toMatchObject({ found: { id: first.id } });
  expect(await fixture.postTexts()).toEqual(['twice', 'twice']);
});

test('a post that appears late is found by its key', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const since = new Date(fixture.clock.nowMs());
  fixture.sandbox.faults.add({ platform: 'social', kind: 'delayedVisibility', ms: 60_000 });

  const post = await social.createPost('late', { key: 'k', since });
  const before = await social.getPosts(fixture.handle);
  const recovery = await recoverWrite(social, createPost.declared, { text: 'late' }, { key: 'k', since, taken: new Set() });
  await fixture.clock.advance(60_000);
  const after = await social.getPosts(fixture.handle);

  expect(before.length).toBe(0);
  expect(recovery).toMatchObject({ found: { id: post.id } });
  expect(after.items.map(({ id }) => id)).toEqual([post.id]);
});

test('a text that looks like an instant stays a text', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);

  const post = await social.createPost('2026-11-20T18:00:00.000Z');

  expect(post.text).toBe('2026-11-20T18:00:00.000Z');
  expect(post.createdAt).toBeInstanceOf(Date);
});

test('a wrong token is unauthorized, and no error contains it', async () => {
  await using fixture = await openSocial();
  const url = fixture.sandbox.environment['SANDBOX_URL'] ?? '';
  const social = new SocialAsync({ platform: sandbox({ url, token: 'wrong-secret', clock: fixture.clock }) });

  const error: unknown = await social.createPost('hello').catch((reason: unknown) => reason);

  expect(error).toMatchObject({ fault: 'unauthorized', status: 401 });
  expect(String(error)).not.toContain('wrong-secret');
});

test('a missing platform is unreachable, and nothing was sent', async () => {
  const clock = new ManualClock();
  const social = new SocialAsync({ platform: sandbox({ url: UNREACHABLE, token: 't', clock }) });

  await expect(social.createPost('hello')).rejects.toMatchObject({ fault: 'unreachable' });
  await expect(whileSleeping(clock, social.getUserInfo())).rejects.toMatchObject({ fault: 'unreachable' });
});

test('a rate limit has the time of the next attempt', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  fixture.sandbox.faults.add({ platform: 'social', kind: 'rateLimit', ms: 30_000 });

  await expect(social.createPost('hello')).rejects.toMatchObject({
    fault: 'rateLimited',
    retryAt: new Date(fixture.clock.nowMs() + 30_000),
  });
});

test('a truncated, empty or endless list ends and adds nothing', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const { faults } = fixture.sandbox;
  const first = await social.getPosts(fixture.other);

  faults.add({ platform: 'social', kind: 'shortList', times: 1 });
  const short = await social.getPosts(fixture.other);
  faults.add({ platform: 'social', kind: 'emptyList', times: 1 });
  const empty = await social.getPosts(fixture.other);
  faults.add({ platform: 'social', kind: 'endlessCursor' });
  const endless = await social.getPosts(fixture.other, { pages: 'all', waitTime: 0 });

  expect(short.items).toEqual(first.items.slice(0, short.length));
  expect(short.length).toBeLessThan(first.length);
  expect(empty.length).toBe(0);
  expect(new Set(endless.items.map(({ id }) => id)).size).toBe(endless.length);
});
