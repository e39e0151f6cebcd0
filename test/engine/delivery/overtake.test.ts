import { expect, test } from 'vitest';
import { creating, firing, keysOf } from '../../support/firings.ts';
import { openStore } from '#src/store/store.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const SECOND_MS = 1_000;

/** Texts in the order in which their requests were sent. */
function sentTexts({ platform }: RunningEngine): readonly unknown[] {
  return platform.attempts.map(({ params }) => params['text']);
}

/** A post about an item. */
function posting(text: string, episode = `${text}@1`) {
  return firing([creating(['x'], { with: { text } })], { episode });
}

/** A message about an item in the channel `live`. */
function messaging(text: string, channel = 'live') {
  return firing([creating(['x'], { do: 'discord.send', with: { text, channel } })], { episode: `${text} in ${channel}@1` });
}

/** The next request to x waits until the answer is released. */
function hang({ platform }: RunningEngine): { readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  platform.hangs.set('x', promise);
  return { release: resolve };
}

test('a request that hangs delays messages of the same channel by two seconds', async () => {
  await using running = await runEngine();
  const hanging = hang(running);

  await running.commit([messaging('one'), messaging('two'), messaging('three')]);
  expect(sentTexts(running)).toEqual(['one']);
  await running.clock.advance(2 * SECOND_MS);

  expect(sentTexts(running)).toEqual(['one', 'two', 'three']);
  expect(await running.states()).toEqual([
    ['x', 'sending'],
    ['x', 'sent'],
    ['x', 'sent'],
  ]);
  hanging.release();
});

test('a request that hangs delays no posts of other items and no messages of other channels', async () => {
  await using running = await runEngine();
  const hanging = hang(running);

  await running.commit([posting('one'), posting('two'), messaging('three'), messaging('four', 'news')]);

  expect(sentTexts(running)).toEqual(['one', 'two', 'three', 'four']);
  hanging.release();
});

test('a post that is committed while a request hangs is sent at once', async () => {
  await using running = await runEngine();
  const hanging = hang(running);
  await running.commit([posting('one')]);
  await running.clock.advance(60 * SECOND_MS);

  await running.commit([posting('two')]);

  expect(sentTexts(running)).toEqual(['one', 'two']);
  hanging.release();
});

test('posts of the same item wait for the request that hangs, and follow it without a delay', async () => {
  await using running = await runEngine();
  const hanging = hang(running);
  await running.commit([
    posting('one', 'ada@1'),
    firing([creating(['x'], { with: { text: 'two' } })], { episode: 'ada@1', occasion: '2' }),
  ]);
  await running.clock.advance(60 * SECOND_MS);
  expect(sentTexts(running)).toEqual(['one']);

  hanging.release();
  await running.clock.advance(0);

  expect(sentTexts(running)).toEqual(['one', 'two']);
});

test('messages of a channel keep the order of their commits while every request takes less than two seconds', async () => {
  await using running = await runEngine();
  running.platform.latencyMs = () => 1_900;

  await running.commit(['one', 'two', 'three'].map((text) => messaging(text)));
  await running.clock.advance(10 * SECOND_MS);

  expect(running.platform.records.map(({ params, atMs }) => [params['text'], atMs])).toEqual(
    ['one', 'two', 'three'].map((text, index) => [text, running.clock.nowMs() - 10 * SECOND_MS + (index + 1) * 1_900]),
  );
});

test('an account has at most eight requests at a time', async () => {
  await using running = await runEngine();
  running.platform.latencyMs = () => 60 * SECOND_MS;

  await running.commit(Array.from({ length: 12 }, (_, index) => posting(`post ${index}`)));
  await running.clock.advance(50 * SECOND_MS);
  const underWay = running.platform.attempts.length;
  await running.clock.advance(200 * SECOND_MS);

  expect(underWay).toBe(8);
  expect(running.platform.records).toHaveLength(12);
});

test('a lost post does not claim the record of an identical post whose request runs', async () => {
  await using running = await runEngine({ traits: { deduplicates: false, finds: 'content' } });
  running.platform.nextFailures.set('x', ['unanswered']);
  // The second post is on the platform for some time before its response arrives.
  const [lost, slow] = [posting('hello', 'ada@1'), posting('hello', 'grace@1')];
  running.platform.answerAfterMs.set(keysOf(slow)[0] ?? '', 30 * SECOND_MS);

  await running.commit([lost, slow]);
  await running.clock.advance(60 * SECOND_MS);

  expect(running.platform.counts()).toEqual({ [String(keysOf(lost)[0])]: 1, [String(keysOf(slow)[0])]: 1 });
  expect(await running.find(keysOf(slow)[0])).toMatchObject({ state: 'sent', result: { id: 'r1' } });
  expect(await running.find(keysOf(lost)[0])).toMatchObject({ state: 'sent', result: { id: 'r2' } });
});

test('a post is sent while the receipt of the one before is stored', async () => {
  const receipt = Promise.withResolvers<void>();
  await using running = await runEngine({
    async store(clock) {
      const store = await openStore({ clock });
      const { deliveries } = store;
      return {
        ...store,
        [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
        deliveries: {
          ...deliveries,
          async change(delivery, change, options) {
            if (change.state === 'sent') await receipt.promise;
            return deliveries.change(delivery, change, options);
          },
        },
      };
    },
  });

  await running.commit([posting('one'), posting('two')]);

  expect(sentTexts(running)).toEqual(['one', 'two']);
  expect(running.changes.filter(({ state }) => state === 'sent')).toEqual([]);
  receipt.resolve();
  await running.clock.advance(0);
  expect(running.changes.filter(({ state }) => state === 'sent')).toHaveLength(2);
});

test('posts about the items of a feed keep their order, and those of different rules do not wait for each other', async () => {
  await using running = await runEngine();
  running.platform.latencyMs = () => SECOND_MS;
  const names = { watch: 'feed.getItems', steps: {} };
  const of = (rule: string, text: string) => firing([creating(['x'], { with: { text } })], { rule, episode: `${text}@1`, names });

  await running.commit([of('blog', 'one'), of('blog', 'two'), of('videos', 'three')]);
  const atOnce = sentTexts(running);
  await running.clock.advance(2 * SECOND_MS);

  expect(atOnce).toEqual(['one', 'three']);
  expect(sentTexts(running)).toEqual([...atOnce, 'two']);
});

test('of 20 messages in one channel and one in another channel, the last one does not wait', async () => {
  await using running = await runEngine();
  running.platform.latencyMs = () => SECOND_MS;

  await running.commit([...Array.from({ length: 19 }, (_, index) => messaging(`message ${index}`)), messaging('other', 'news')]);

  expect(sentTexts(running)).toEqual(['message 0', 'other']);
});

test('an attempt that begins with its commit delays messages of its channel, and no others', async () => {
  await using running = await runEngine();
  await running.commit([posting('before')]);
  running.platform.latencyMs = () => SECOND_MS;

  await running.commit([messaging('one'), messaging('two'), messaging('three', 'news')]);
  const atOnce = sentTexts(running);
  await running.clock.advance(2 * SECOND_MS);

  expect(atOnce).toEqual(['before', 'one', 'three']);
  expect(sentTexts(running)).toEqual([...atOnce, 'two']);
});
