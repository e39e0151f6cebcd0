import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createClients } from '#src/clients/clients.ts';
import { createLaterPosts } from '#src/engine/posting/later-posts.ts';
import { renderDueStep } from '#src/engine/delivery/steps.ts';
import { recoverWrite } from '#src/clients/operation/client.ts';
import { TEXT_LIMITS } from '../../support/text-limits.ts';
import { createScheduledPost } from '#src/clients/social/schedule.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { openStore } from '#src/store/store.ts';
import { runEngine } from '../delivery/running-engine.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOUR_MS = 3_600_000;

/** A platform without scheduled posts and polls. */
function platformOf(account: string): SocialPlatform {
  const bare = bareSocial({ createPost: () => Promise.reject(new Error('posts go through the delivery engine')) });
  const createPost: SocialPlatform['capabilities']['createPost'] = {
    support: 'native',
    parameters: { poll: { support: 'unsupported', reason: 'NO_FEATURE' } },
  };
  return { ...bare, account, textLimit: TEXT_LIMITS.x, capabilities: { ...bare.capabilities, createPost } };
}

async function openSchedule({ file, startMs }: { readonly file?: string; readonly startMs?: number } = {}) {
  const bare = createClients({ streaming: [], social: [platformOf('x'), platformOf('sky')], discord: [] }, { nowMs: Date.now } as never); // no call is made
  const running = await runEngine({
    store: (clock) => openStore({ file, clock }),
    render: (due, results, findEdited) => renderDueStep(bare, due, results, findEdited),
  });
  const { clock, store, engine } = running;
  if (startMs !== undefined) clock.set(startMs);
  const schedule = createLaterPosts({ posts: store.posts, eventBus: createEventBus(), wake: () => engine.wake(), clock });
  const socialOf = (account: string) => new SocialAsync({ platform: platformOf(account), clock, keep: { schedule } });
  return {
    ...running,
    social: socialOf('x'),
    socialOf,
    inMs: (ms: number) => new Date(clock.nowMs() + ms),
    texts: () => running.platform.records.map(({ account, params }) => [account, params['text']]),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

describe('a scheduled post on a platform without scheduling', () => {
  test('goes out at its time, once, with unchanged text and all parameters', async () => {
    await using opened = await openSchedule();
    const { social, clock, inMs, platform } = opened;

    const post = await social.createScheduledPost('price: ${{ 1 + 1 }} $', inMs(HOUR_MS), { files: [['a.png', 'a ${{ b }}']] });
    await clock.advance(HOUR_MS - 1);
    const before = opened.texts();
    await clock.advance(2 * HOUR_MS);

    expect(post).toMatchObject({ origin: 'local', state: 'scheduled', media: [{ id: 'a.png', kind: 'image', altText: 'a ${{ b }}' }] });
    expect(before).toEqual([]);
    expect(platform.records.map(({ account, do: verb, params }) => [account, verb, params])).toEqual([
      [
        'x',
        'social.createPost',
        { text: 'price: ${{ 1 + 1 }} $', files: [{ path: 'a.png', altText: 'a ${{ b }}' }], batchCompose: false, postOnTimeline: false },
      ],
    ]);
    expect((await social.getScheduledPosts()).length).toBe(0);
  });

  test('is listed for its account only, the next post first', async () => {
    await using opened = await openSchedule();
    const { social, socialOf, inMs } = opened;
    const later = await social.createScheduledPost('later', inMs(2 * HOUR_MS));
    const soon = await social.createScheduledPost('soon', inMs(HOUR_MS));

    const ids = (await social.getScheduledPosts()).items.map(({ id }) => id);
    const others = await socialOf('sky').getScheduledPosts();

    expect(ids).toEqual([soon.id, later.id]);
    expect(others.length).toBe(0);
    expect(await socialOf('sky').deleteScheduledPost(soon)).toBe(true);
    expect((await social.getScheduledPosts()).length).toBe(2);
  });

  test('does not go out after it was cancelled, and cannot be cancelled after it went out', async () => {
    await using opened = await openSchedule();
    const { social, clock, inMs } = opened;
    const params = { text: 'never', sendAt: inMs(HOUR_MS) };
    const never = await social.createScheduledPost(params.text, params.sendAt, { key: 'k' });
    const done = await social.createScheduledPost('done', inMs(HOUR_MS));

    const taken = [await social.deleteScheduledPost(never), await social.deleteScheduledPost(never)];
    await clock.advance(2 * HOUR_MS);

    expect(taken).toEqual([true, true]);
    const search = { key: 'k', since: inMs(-2 * HOUR_MS), taken: new Set<string>() };
    expect(await recoverWrite(social, createScheduledPost.declared, params, search)).toBe('absent');
    expect(opened.texts()).toEqual([['x', 'done']]);
    expect(await social.deleteScheduledPost(done)).toBe(false);
  });

  test('with a known key is the same post, and can be found', async () => {
    await using opened = await openSchedule();
    const { social, clock, inMs } = opened;
    const [sendAt, since] = [inMs(HOUR_MS), inMs(0)];
    const params = { text: 'once', sendAt };
    const ask = () => recoverWrite(social, createScheduledPost.declared, params, { key: 'k', since, taken: new Set() });

    const before = await ask();
    const first = await social.createScheduledPost('once', sendAt, { key: 'k' });
    const after = await ask();
    await clock.advance(2 * HOUR_MS);
    const again = await social.createScheduledPost('once', sendAt, { key: 'k' });

    expect(before).toBe('absent');
    expect(after).toMatchObject({ found: { id: first.id, text: 'once', sendAt } });
    expect(again.id).toBe(first.id);
    expect(opened.texts()).toEqual([['x', 'once']]);
  });

  test('survives a restart, and goes out once if it became due in between', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'fanfare.sqlite');
    let dueMs = 0;
    {
      await using before = await openSchedule({ file });
      dueMs = before.clock.nowMs() + HOUR_MS;
      await before.social.createScheduledPost('kept', new Date(dueMs));
    }

    await using after = await openSchedule({ file, startMs: dueMs + 60_000 });
    await after.clock.advance(60_000);
    await after.clock.advance(HOUR_MS);

    expect(after.texts()).toEqual([['x', 'kept']]);
  });

  test('is listed as being sent from its first attempt on', async () => {
    await using opened = await openSchedule();
    const { social, clock, inMs, platform } = opened;
    platform.nextFailures.set('x', ['rateLimited']);
    await social.createScheduledPost('soon', inMs(HOUR_MS));

    await clock.advance(HOUR_MS);

    expect((await social.getScheduledPosts()).items).toMatchObject([{ state: 'sending' }]);
  });

  test('is listed as failed for a day if the platform rejects it, and can be cancelled', async () => {
    await using opened = await openSchedule();
    const { social, clock, inMs, platform } = opened;
    platform.nextFailures.set('x', ['forbidden']);
    const post = await social.createScheduledPost('no', inMs(HOUR_MS));

    await clock.advance(2 * HOUR_MS);
    const failed = (await social.getScheduledPosts()).items;
    await clock.advance(24 * HOUR_MS);

    expect(failed).toMatchObject([{ id: post.id, state: 'failed' }]);
    expect((await social.getScheduledPosts()).length).toBe(0);
    expect(await social.deleteScheduledPost(post)).toBe(true);
  });

  test('is listed as failed if the platform could not be reached for a day', async () => {
    await using opened = await openSchedule();
    const { social, clock, inMs, platform } = opened;
    platform.nextFailures.set(
      'x',
      Array.from({ length: 200 }, () => 'unreachable' as const),
    );
    const post = await social.createScheduledPost('no', inMs(HOUR_MS));

    await clock.advance(26 * HOUR_MS);

    expect((await social.getScheduledPosts()).items).toMatchObject([{ id: post.id, state: 'failed' }]);
  });

  test('is rejected at once if it would be rejected at its time', async () => {
    await using opened = await openSchedule();
    const { social, inMs, store } = opened;
    const poll = { options: ['yes', 'no'] };

    await expect(social.createScheduledPost('x'.repeat(281), inMs(HOUR_MS))).rejects.toMatchObject({
      name: 'ValidationError',
      path: 'text',
      message: expect.stringMatching(/the text is too long: \d+ characters, and \w+ accepts 280/u),
    });
    await expect(social.createScheduledPost('x', inMs(-1))).rejects.toMatchObject({ name: 'ValidationError', path: 'sendAt' });
    await expect(social.createScheduledPost('x', inMs(HOUR_MS), { poll })).rejects.toMatchObject({
      name: 'UnsupportedParameter',
      parameter: 'poll',
    });
    expect(await store.deliveries.accounts()).toEqual([]);
  });

  test('is unsupported without a provider, and the error names the provider', async () => {
    const social = new SocialAsync({ platform: platformOf('x') });

    await expect(social.getScheduledPosts()).rejects.toMatchObject({
      name: 'UnsupportedOperation',
      reason: 'PROVIDER_MISSING',
      message: expect.stringContaining('keep.schedule') as string,
    });
  });
});

test('the watch list of an account is stored for that account, with the time of the first addition', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const [since, later] = [new Date('2026-11-20T18:00:00Z'), new Date('2026-11-21T18:00:00Z')];
  {
    await using store = await openStore({ file });
    const list = store.watchListOf('x');
    await list.add({ id: '7', since });
    await list.add({ id: '7', since: later });
    await list.add({ id: '8', since: later });
    await list.add({ id: '9', since: later });
    await list.remove('9');
    await store.watchListOf('x_club').add({ id: '1', since });
  }

  await using store = await openStore({ file });

  expect(await store.watchListOf('x').all()).toEqual([
    { id: '7', since },
    { id: '8', since: later },
  ]);
});
