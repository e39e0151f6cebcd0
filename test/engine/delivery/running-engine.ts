import { catalogue } from '#src/clients/catalogue.ts';
import { removedParameter } from '#src/clients/operation/declared.ts';
import { silentLog, type Log } from '#src/log.ts';
import type { Delivery, DeliveryState } from '#src/engine/delivery/delivery.ts';
import type { EndedAttempt } from '#src/engine/delivery/attempt.ts';
import { createDeliveryEngine, type DeliveryEngine, type DeliveryEngineOptions } from '#src/engine/delivery/delivery-engine.ts';
import type { Render } from '#src/engine/delivery/rendering.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { FakePlatform, type PlatformTraits } from '../../support/fake-platform.ts';
import { committing, renderPlainly, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export interface RunningEngineOptions {
  readonly traits?: PlatformTraits;
  readonly render?: Render;
  readonly visibleAfterMs?: (account: string) => number;
  readonly store?: (clock: ManualClock) => Promise<Store>;
  readonly log?: Log;
  readonly accepts?: DeliveryEngineOptions['accepts'];
  readonly lanes?: DeliveryEngineOptions['lanes'];
  /** The longest pause of the engine. The default is long, because no other process stores deliveries. */
  readonly maxPauseMs?: number;
  /** If false, the engine is not started. */
  readonly runs?: boolean;
  /** The jitter of pauses. By default, they last exactly the requested time. */
  readonly random?: () => number;
}

/** Commits a slot as the scheduler does: attempts begin with their commit if they can. */
export async function commitWith(
  { ruleStates }: { readonly ruleStates: Pick<Store['ruleStates'], 'commit'> },
  engine: Pick<DeliveryEngine, 'beginWith' | 'wake'>,
  commit: Commit,
): Promise<void> {
  await using attempts = await engine.beginWith(commit);
  await ruleStates.commit({ ...commit, begun: attempts.begun });
  engine.wake();
}

/** A delivery engine at work over a real store and a platform in memory, on a manual clock. */
export interface RunningEngine extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly platform: FakePlatform;
  readonly engine: DeliveryEngine;
  /** Every change of a delivery, in order. */
  readonly changes: readonly Delivery[];
  /** Every attempt and reconciliation, in order. */
  readonly attempts: readonly EndedAttempt[];
  /** The questions that no one answered in time. */
  readonly unanswered: readonly Delivery[];
  /** Commits firings in a slot of their own, wakes the delivery engine and lets it work. */
  commit(firings: readonly Firing[], more?: Partial<Commit>): Promise<void>;
  /** Stops the delivery engine. Running attempts get their time. */
  stop(): Promise<void>;
  find(id: string | undefined): Promise<Delivery>;
  states(): Promise<readonly (readonly [account: string, state: DeliveryState])[]>;
}

export async function runEngine({
  traits,
  render = renderPlainly,
  visibleAfterMs = () => 0,
  store: open = (clock) => openStore({ clock }),
  log = silentLog,
  accepts,
  lanes,
  maxPauseMs = 60 * 60_000,
  runs = true,
  random = () => 0.5,
}: RunningEngineOptions = {}): Promise<RunningEngine> {
  const clock = new ManualClock(SLOT_MS);
  const store = await open(clock);
  const platform = new FakePlatform(clock, traits);
  const { perform, recover } = platform;
  const changes: Delivery[] = [];
  const attempts: EndedAttempt[] = [];
  const unanswered: Delivery[] = [];
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    perform,
    recover,
    render,
    clock,
    log,
    onDelivery: (delivery) => changes.push(delivery),
    visibleAfterMs,
    keepsKeys: () => platform.keepsKeys,
    accepts,
    lanes,
    isQuestion: (verb) => verb === 'discord.ask',
    removes: (verb) => removedParameter(catalogue.get(verb)),
    readsAtEachPoll: (verb) => verb.startsWith('streaming.'),
    isBilled: (verb) => verb.startsWith('assistant.'),
    onUnanswered: (delivery) => unanswered.push(delivery),
    onAttempt: (ended) => attempts.push(ended),
    maxPauseMs,
    random,
  });
  const stopping = new AbortController();
  const running = runs ? engine.run(stopping.signal) : undefined;
  let slotMs = SLOT_MS;

  async function stop(): Promise<void> {
    stopping.abort(new Error('the program ends'));
    await clock.advance(60_000);
    await running;
  }

  return {
    clock,
    store,
    platform,
    engine: engine,
    changes,
    attempts,
    unanswered,
    stop,

    async commit(firings, more) {
      await commitWith(store, engine, committing(firings, { slotMs: slotMs++, ...more }));
      await clock.advance(0);
    },

    async find(id) {
      const delivery = await store.deliveries.find(id ?? '');
      if (!delivery) throw new Error(`there is no delivery ${id}`);
      return delivery;
    },

    async states() {
      const { items } = await store.deliveryLog.list({ limit: 1_000, idle: true });
      return items.toReversed().map(({ account, state }) => [account, state]);
    },

    async [Symbol.asyncDispose]() {
      await stop();
      await store[Symbol.asyncDispose]();
    },
  };
}
