import { expect, test } from 'vitest';
import { creating, firing, keysOf } from '../../support/firings.ts';
import { openStore } from '#src/store/store.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const SECOND_MS = 1_000;

/** Texts in the order in which their requests were sent. */
function sentTexts({ platform }: RunningEngine): readonly unknown[] {
  return platform.attempts.map(({ params }) => params['text']);
}

function posting(text: string, episode = `${text}@1`) {
  return firing([creating(['x'], { with: { text } })], { episode });
}

/** The next request to x waits until the answer is released. */
function hang({ platform }: RunningEngine): { readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  platform.hangs.set('x', promise);
  return { release: resolve };
}

test('a request that hangs delays posts of other items by two seconds', async () => {
  await using running = await runEngine();
  const hanging = hang(running);

  await running.commit([posting('one'), posting('two'), posting('three')]);
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

test.for<[string, readonly string[]]>([
  ['before the first post of its account', []],
  ['while its account waits for posts, so that the first one begins with its commit', ['before']],
])('posts committed %s keep the order of their commits while every request takes less than two seconds', async ([, before]) => {
  await using running = await runEngine();
  await running.commit(before.map((text) => posting(text)));
  running.platform.latencyMs = () => 1_900;
  const startMs = running.clock.nowMs();

  await running.commit(['one', 'two', 'three'].map((text) => posting(text)));
  await running.clock.advance(10 * SECOND_MS);

  expect(running.platform.records.slice(before.length).map(({ params, atMs }) => [params['text'], atMs - startMs])).toEqual([
    ['one', 1_900],
    ['two', 3_800],
    ['three', 5_700],
  ]);
});

test('posts wait for each other if fewer than twenty are due, and otherwise begin in their order, eight at a time', async () => {
  await using running = await runEngine();
  running.platform.latencyMs = () => SECOND_MS;
  const startMs = running.clock.nowMs();

  await running.commit(Array.from({ length: 30 }, (_, index) => posting(`post ${index}`)));
  const began = running.platform.attempts.length;
  await running.clock.advance(60 * SECOND_MS);

  const endedAfterSeconds = running.platform.records.map(({ atMs }) => (atMs - startMs) / SECOND_MS);
  expect(began).toBe(8);
  expect(endedAfterSeconds).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(sentTexts(running)).toEqual(Array.from({ length: 30 }, (_, index) => `post ${index}`));
});

test.for([
  ['discord', 'discord.send'],
  ['x', 'social.sendMessage'],
  ['x', 'social.editPost'],
] as const)('%s: deliveries of %s wait for each other, however many are due', async ([account, verb]) => {
  await using running = await runEngine();
  running.platform.latencyMs = () => SECOND_MS;
  const texts = Array.from({ length: 30 }, (_, index) => `text ${index}`);

  await running.commit(texts.map((text) => firing([creating([account], { do: verb, with: { text } })], { episode: `${text}@1` })));
  const began = running.platform.attempts.length;
  await running.clock.advance(60 * SECOND_MS);

  expect(began).toBe(1);
  expect(sentTexts(running)).toEqual(texts);
});

test('posts of one item keep their order while many are due', async () => {
  await using running = await runEngine();
  running.platform.latencyMs = () => SECOND_MS;
  const many = Array.from({ length: 30 }, (_, index) => posting(`post ${index}`));
  const ofOne = ['one', 'two', 'three'].map((text, index) =>
    firing([creating(['x'], { with: { text } })], { episode: 'ada@1', occasion: String(index + 1) }),
  );

  await running.commit([...ofOne, ...many]);
  await running.clock.advance(60 * SECOND_MS);

  const { records } = running.platform;
  const atMs = ofOne.map((_, index) => records.find(({ params }) => params['text'] === ['one', 'two', 'three'][index])?.atMs ?? 0);
  expect(records).toHaveLength(33);
  expect(atMs.slice(1).map((ms, index) => ms - (atMs[index] ?? 0) >= SECOND_MS)).toEqual([true, true]);
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

test('posts of items of different servers do not wait for each other, and those of one server do', async () => {
  await using running = await runEngine();
  running.platform.latencyMs = () => SECOND_MS;
  const of = (server: string, name: string) =>
    firing([creating(['x'], { with: { text: `${name} in ${server}` } })], {
      episode: `${name} in ${server}@1`,
      item: { key: `followed/${server.repeat(18)}/${name}`, name },
    });

  await running.commit([of('1', 'ada'), of('1', 'grace'), of('2', 'ada'), of('3', 'ada')]);
  const atOnce = sentTexts(running);
  await running.clock.advance(2 * SECOND_MS);

  expect(atOnce).toEqual(['1', '2', '3'].map((digit) => `ada in ${digit}`));
  expect(sentTexts(running)).toEqual([...atOnce, 'grace in 1']);
});
