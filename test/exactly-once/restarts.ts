import { setImmediate as nextLoop } from 'node:timers/promises';
import { createAccountHealth } from '#src/admin/queries/accounts.ts';
import { createClients } from '#src/clients/clients.ts';
import { createEngine } from '#src/app/engine.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import type { Clock } from '#src/clock.ts';
import { silentLog } from '#src/log.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { SealedRows } from '#src/http/secrets/sealed-tokens.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { Killable } from '../engine/delivery/killable.ts';
import { sealedIn } from './sealed.ts';
import type { World } from './fixture.ts';

/** Longer than all retries of a test: X searches 15 minutes for each of at most three lost messages. */
const LONGEST_RUN_MS = 60 * 60_000;
const ROUNDS = 4;

export interface RunOptions {
  readonly killable?: Killable | undefined;
  /** Whether the request at which the program is killed still arrives later. */
  readonly arrivesLate?: boolean | undefined;
  /** Resolves `unknown` deliveries; absent: there is no operator. */
  readonly operator?: ((delivery: Delivery, engine: DeliveryEngine) => Promise<void>) | undefined;
}

/**
 * Starts the program on the database of earlier runs and waits until it comes to rest; false: it was killed.
 *
 * If an account is refused, a person signs in again.
 */
export async function runProgram(
  world: World,
  { killable = new Killable(Infinity, 'before'), arrivesLate = false, operator }: RunOptions = {},
): Promise<boolean> {
  const { stage, file, commit, failsAfterWrite } = world;
  const { network, sandbox, clock, connections } = stage;
  await using store = await openStore({ file, clock });
  using claims = new DisposableStack();
  const ticking: Clock = { nowMs: () => clock.nowMs(), sleep: killable.read((ms, signal?: AbortSignal) => clock.sleep(ms, signal)) };
  const activity = new Activity(ticking);
  const platform = network.open(sandbox, {
    tokens: sealedIn(killableRows(store.sealedRows, killable, claims), network.name),
    clock: activity.clock,
    dispatcher: connections.dispatcherFor({ killable, arrivesLate, failsAfterWrite }),
  });
  const deliveries = killable.methods(store.deliveries, ['change']);
  const ruleStates = killable.methods(store.ruleStates, ['commit']);
  const health = createAccountHealth(() => undefined);
  const { deliveryEngine: engine } = await createEngine({
    rules: [],
    clients: createClients({ streaming: [], social: [activity.watched(platform)], discord: [] }, ticking),
    store: { ...store, deliveries, ruleStates },
    eventBus: createEventBus(),
    health,
    clock: ticking,
    log: silentLog,
  });

  async function waitUntilIdle(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await nextLoop();
      if (connections.busy > 0 || (!killable.isKilled && activity.isBusy)) round = 0;
    }
  }

  let signedIn = false;
  const stop = new AbortController();
  void ruleStates.commit(commit).then(() => engine.wake());
  const running = engine.run(stop.signal);
  for (let passedMs = 0; passedMs < LONGEST_RUN_MS;) {
    await waitUntilIdle();
    if (killable.isKilled) return false;
    if (health.problemOf(network.name)?.fault === 'unauthorized' && !signedIn) {
      signedIn = true;
      await world.signIn();
    }
    const unknown = operator ? (await store.deliveryLog.list({ state: 'unknown' })).items : [];
    for (const delivery of unknown) void operator?.(delivery, engine);
    if (unknown.length === 0 && (await isOver(store, clock))) {
      stop.abort();
      await clock.advance(0);
      // It may be killed during shutdown, too.
      if (!killable.isKilled) await running;
      return !killable.isKilled;
    }
    // Small steps first, so that a killed program restarts at once.
    const stepMs = passedMs < 12_000 ? 1_000 : await untilNextMs(store, clock);
    await clock.advance(stepMs);
    passedMs += stepMs;
  }
  throw new Error(`a delivery was never settled: ${JSON.stringify(await world.deliveries(), undefined, 1)}`);
}

/** The time until the next delivery is due, within bounds, because a platform may wait as well. */
async function untilNextMs({ deliveries }: Store, clock: Clock): Promise<number> {
  const nowMs = clock.nowMs();
  const due = await Promise.all((await deliveries.accounts()).map((account) => deliveries.nextDueMs(account, nowMs)));
  const nextMs = Math.min(...due.map((dueMs) => dueMs ?? nowMs + 5_000));
  return Math.min(60_000, Math.max(1_000, nextMs - nowMs));
}

/** Whether nothing more happens without an operator. */
async function isOver({ deliveries, deliveryLog }: Store, clock: Clock): Promise<boolean> {
  if ((await deliveryLog.list({ limit: 1, idle: true })).items.length === 0) return false;
  for (const account of await deliveries.accounts()) {
    const nowMs = clock.nowMs();
    if ((await deliveries.begun(account)).length > 0 || (await deliveries.nextDueMs(account, nowMs)) !== undefined) return false;
    if ((await deliveries.due(account, { nowMs, limit: 1 })).length > 0) return false;
  }
  return true;
}

/** The stored tokens of a run. Its claims end with it. */
function killableRows(rows: SealedRows, killable: Killable, claims: DisposableStack): SealedRows {
  const killableMethods = killable.methods(rows, ['save']);
  return { ...killableMethods, claim: killable.read(async (account, signal) => claims.use(await rows.claim(account, signal))) };
}

/** Knows whether a platform is busy with work that waits neither for the clock nor for a response. */
class Activity {
  readonly clock: Clock;
  #working = 0;
  #sleeping = 0;

  constructor(clock: Clock) {
    this.clock = {
      nowMs: () => clock.nowMs(),
      sleep: async (ms, signal) => {
        this.#sleeping += 1;
        await clock.sleep(ms, signal).finally(() => (this.#sleeping -= 1));
      },
    };
  }

  get isBusy(): boolean {
    return this.#working > 0 && this.#sleeping === 0;
  }

  watched(platform: SocialPlatform): SocialPlatform {
    const operations = Object.entries(platform.operations).map(([name, operation]) => {
      const work = operation as (...args: readonly unknown[]) => Promise<unknown>; // its arguments are passed on
      const working: typeof work = async (...args) => {
        this.#working += 1;
        return work(...args).finally(() => (this.#working -= 1));
      };
      return [name, working];
    });
    return { ...platform, operations: Object.fromEntries(operations) as SocialPlatform['operations'] }; // the same operations
  }
}
