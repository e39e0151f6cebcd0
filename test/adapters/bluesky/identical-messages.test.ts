import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { perform, recoverWrite } from '#src/clients/operation/client.ts';
import type { Recovery } from '#src/clients/operation/platform.ts';
import type { Attempt } from '#src/engine/delivery/attempt.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { toItem } from '#src/engine/planner/poll-results.ts';
import { sendMessage } from '#src/clients/social/messages.ts';
import type { Message } from '#src/clients/social/records/message.ts';
import { openStore } from '#src/store/store.ts';
import { committing, creating, firing, keysOf, renderPlainly } from '../../support/firings.ts';
import { openBluesky, type BlueskyFixture } from './open-bluesky.ts';

const MINUTE_MS = 60_000;
const VISIBLE_AFTER_MS = 10_000;

type Loss = 'resetBefore' | 'resetAfter';

/** Two rules that send a message each, through a network that loses requests or answers. */
interface Twins extends AsyncDisposable {
  readonly fixture: BlueskyFixture;
  /** Whether recoveries succeed. */
  canAsk: boolean;
  /** Sends a message of a rule. The first attempt is lost. */
  send(rule: string, params: object, loss: Loss): Promise<void>;
  /** Advances the clock. */
  pass(ms: number): Promise<void>;
  /** The final state of each delivery, in order. */
  settled(): Promise<readonly { readonly state: string; readonly attempts: number; readonly id: string }[]>;
  /** The messages of the account that exist. */
  storedMessages(): Promise<readonly Message[]>;
}

async function openTwins(): Promise<Twins> {
  const fixture = await openBluesky();
  const { clock, social, sandbox } = fixture;
  const store = await openStore({ clock });
  const losses: Loss[] = [];
  const keys: string[] = [];
  let busy = 0;

  async function working<T>(work: Promise<T>): Promise<T> {
    busy += 1;
    return work.finally(() => (busy -= 1));
  }

  async function attempt({ params, key, since, signal }: Attempt): Promise<Json> {
    const kind = losses.shift();
    if (kind) sandbox.faults.add({ platform: 'bluesky', kind, route: 'sendMessage', times: 1 });
    return toItem(await perform(social, sendMessage.declared, params, { key, since, signal }));
  }

  const engine: DeliveryEngine = createDeliveryEngine({
    deliveries: store.deliveries,
    perform: (request) => working(attempt(request)),
    async recover({ params, ...asked }) {
      if (!twins.canAsk) throw new PlatformError('not now', { platform: 'bluesky', fault: 'unavailable' });
      const recovery = (await working(recoverWrite(social, sendMessage.declared, params, asked))) as Recovery<Json>; // a message is one
      return typeof recovery === 'object' ? { found: toItem(recovery.found) } : recovery;
    },
    render: renderPlainly,
    visibleAfterMs: () => VISIBLE_AFTER_MS,
    clock,
    log: silentLog,
    // The engine recovers the first message first.
    random: () => 0.5,
  });
  const stopping = new AbortController();
  const running = engine.run(stopping.signal);

  async function pass(ms: number): Promise<void> {
    const endMs = clock.nowMs() + ms;
    while (clock.nowMs() < endMs) {
      await clock.advance(Math.max(500, ms / 100));
      while (busy > 0) await turn();
    }
    await clock.advance(0);
  }

  const twins: Twins = {
    fixture,
    canAsk: true,
    pass,
    async send(rule, params, loss) {
      const fired = firing([creating(['bluesky'], { do: 'social.sendMessage', with: { ...params } })], { rule });
      keys.push(...keysOf(fired));
      losses.push(loss);
      await store.ruleStates.commit(committing([fired], { rule }));
      engine.wake();
      await pass(500);
    },
    async settled() {
      await pass(2 * MINUTE_MS);
      return Promise.all(
        keys.map(async (key) => {
          const { state = '', attempts = 0, result } = (await store.deliveries.find(key)) ?? {};
          return { state, attempts, id: isJsonObject(result) && typeof result['id'] === 'string' ? result['id'] : '' };
        }),
      );
    },
    async storedMessages() {
      const { messages = [] } = await social.getConversation(fixture.other);
      return messages.filter(({ sender }) => sender.handle === fixture.handle);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the program ends'));
      await clock.advance(MINUTE_MS);
      await running;
      await store[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
  return twins;
}

async function storedIds(twins: Twins): Promise<readonly string[]> {
  return (await twins.storedMessages()).map(({ id }) => id).toSorted();
}

test.for([
  ['the first', ['resetAfter', 'resetBefore']],
  ['the second', ['resetBefore', 'resetAfter']],
  ['both', ['resetAfter', 'resetAfter']],
  ['neither', ['resetBefore', 'resetBefore']],
] as const)('of two equal messages by two rules within a second, %s arrived: each message exists once', async ([, losses]) => {
  await using twins = await openTwins();
  const { other } = twins.fixture;
  const [first, second] = losses;
  await twins.send('a', { user: other, text: 'Ada is live' }, first);
  await twins.send('b', { user: other, text: 'Ada is live' }, second);

  const ends = await twins.settled();

  expect(ends.map(({ state }) => state)).toEqual(['sent', 'sent']);
  expect(await storedIds(twins)).toEqual(ends.map(({ id }) => id).toSorted());
  // Equal messages are interchangeable.
  expect(ends.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(2 + losses.filter((loss) => loss === 'resetBefore').length);
});

test('equal messages to a handle and to a DID exist once each', async () => {
  await using twins = await openTwins();
  const { other } = twins.fixture;
  const { did } = await twins.fixture.account('ada');
  await twins.send('a', { user: `@${other}`, text: 'Ada is live' }, 'resetBefore');
  await twins.send('b', { user: did, text: 'Ada is live' }, 'resetAfter');

  const ends = await twins.settled();

  expect(await storedIds(twins)).toEqual(ends.map(({ id }) => id).toSorted());
});

test.for(['resetAfter', 'resetBefore'] as const)('a reply is not mistaken for an equal message without a reply: %s', async (loss) => {
  await using twins = await openTwins();
  const { social, other } = twins.fixture;
  const asked = await social.sendMessage(other, 'Who is live?');
  await twins.send('a', { user: other, text: 'Ada', replyToMessage: asked.id }, loss === 'resetAfter' ? 'resetBefore' : 'resetAfter');
  await twins.send('b', { user: other, text: 'Ada' }, loss);

  const [answer, plain] = await twins.settled();

  const storedMessages = (await twins.storedMessages()).filter(({ text }) => text === 'Ada').map(({ id, replyTo }) => ({ id, replyTo }));
  expect(storedMessages).toHaveLength(2);
  expect(storedMessages).toEqual(
    expect.arrayContaining([
      { id: answer?.id, replyTo: asked.id },
      { id: plain?.id, replyTo: undefined },
    ]),
  );
});

test('one found message does not settle two deliveries, even after a long outage', async () => {
  await using twins = await openTwins();
  const { other } = twins.fixture;
  twins.canAsk = false;
  await twins.send('a', { user: other, text: 'Ada is live' }, 'resetBefore');
  await twins.pass(30 * MINUTE_MS);
  await twins.send('b', { user: other, text: 'Ada is live' }, 'resetAfter');
  twins.canAsk = true;
  await twins.pass(40 * MINUTE_MS);

  const ends = await twins.settled();

  expect(ends.map(({ state }) => state)).toEqual(['sent', 'sent']);
  expect(await storedIds(twins)).toEqual(ends.map(({ id }) => id).toSorted());
});
