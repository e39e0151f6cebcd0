import { setImmediate as turn } from 'node:timers/promises';
import { createAccountHealth } from '#src/queries/accounts.ts';
import { createClients } from '#src/app/clients.ts';
import { createEngine } from '#src/app/engine.ts';
import { createEventBus } from '#src/event-bus.ts';
import type { Clock } from '#src/clock.ts';
import { silentLog } from '#src/log.ts';
import type { Delivery } from '#src/delivery/delivery.ts';
import type { DeliveryEngine } from '#src/delivery/delivery-engine.ts';
import type { SealedRows } from '#src/secrets/sealed-tokens.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { Mortal } from '../delivery/killable.ts';
import { sealedIn } from './sealed.ts';
import type { World } from './fixture.ts';

/** No life goes on for longer: by then every retry of a test was made. */
const LIFE_MS = 60 * 60_000;
const TURNS = 4;

export interface LifeOptions {
  readonly mortal?: Mortal | undefined;
  /** Whether the request at which it dies arrives all the same, later. */
  readonly arrivesLate?: boolean | undefined;
  /** What a person does about a delivery that is `unknown`; absent: nobody looks. */
  readonly operator?: ((delivery: Delivery, engine: DeliveryEngine) => Promise<void>) | undefined;
}

/**
 * Starts the program on the database of earlier lives and lets it work until nothing more happens by itself; false: it died.
 *
 * Where an account is shown as refused, somebody signs in again.
 */
export async function live(
  world: World,
  { mortal = new Mortal(Infinity, 'before'), arrivesLate = false, operator }: LifeOptions = {},
): Promise<boolean> {
  const { stage, file, commit, breaksDown } = world;
  const { network, sandbox, clock, lines } = stage;
  await using store = await openStore({ file, clock });
  using claims = new DisposableStack();
  const ticking: Clock = { nowMs: () => clock.nowMs(), sleep: mortal.look((ms, signal?: AbortSignal) => clock.sleep(ms, signal)) };
  const activity = new Activity(ticking);
  const platform = network.open(sandbox, {
    tokens: sealedIn(mortalRows(store.sealedRows, mortal, claims), network.name),
    clock: activity.clock,
    dispatcher: lines.of({ mortal, arrivesLate, breaksDown }),
  });
  const deliveries = mortal.methods(store.deliveries, ['change']);
  const ruleStates = mortal.methods(store.ruleStates, ['commit']);
  const health = createAccountHealth(() => undefined);
  const { deliveryEngine: engine } = await createEngine({
    rules: [],
    clients: createClients({ streaming: [], social: [activity.watched(platform)], discord: [] }, ticking),
    store: { ...store, deliveries, ruleStates },
    eventBus: createEventBus(),
    health,
    onUnanswered: () => undefined,
    clock: ticking,
    log: silentLog,
  });

  async function still(): Promise<void> {
    for (let turns = 0; turns < TURNS; turns++) {
      await turn();
      if (lines.busy > 0 || (!mortal.dead && activity.isBusy)) turns = 0;
    }
  }

  let signedIn = false;
  const stop = new AbortController();
  void ruleStates.commit(commit).then(() => engine.wake());
  const running = engine.run(stop.signal);
  for (let passedMs = 0; passedMs < LIFE_MS;) {
    await still();
    if (mortal.dead) return false;
    if (health.problemOf(network.name)?.fault === 'unauthorized' && !signedIn) {
      signedIn = true;
      await world.signIn();
    }
    const unknown = operator ? (await store.deliveryLog.list({ state: 'unknown' })).items : [];
    for (const delivery of unknown) void operator?.(delivery, engine);
    if (unknown.length === 0 && (await isOver(store, clock))) {
      stop.abort();
      await clock.advance(0);
      // It may die on its way out as well.
      if (!mortal.dead) await running;
      return !mortal.dead;
    }
    // In small steps at first: who dies shall start again at once.
    const stepMs = passedMs < 12_000 ? 1_000 : await untilNextMs(store, clock);
    await clock.advance(stepMs);
    passedMs += stepMs;
  }
  throw new Error(`something was never settled: ${JSON.stringify(await world.deliveries(), undefined, 1)}`);
}

/** How long nothing is due, within bounds: a platform may wait for something, too. */
async function untilNextMs({ deliveries }: Store, clock: Clock): Promise<number> {
  const nowMs = clock.nowMs();
  const due = await Promise.all((await deliveries.accounts()).map((account) => deliveries.nextDueMs(account, nowMs)));
  const nextMs = Math.min(...due.map((dueMs) => dueMs ?? nowMs + 5_000));
  return Math.min(60_000, Math.max(1_000, nextMs - nowMs));
}

/** Whether nothing more happens by itself. */
async function isOver({ deliveries, deliveryLog }: Store, clock: Clock): Promise<boolean> {
  if ((await deliveryLog.list({ limit: 1, idle: true })).items.length === 0) return false;
  for (const account of await deliveries.accounts()) {
    const nowMs = clock.nowMs();
    if ((await deliveries.begun(account)).length > 0 || (await deliveries.nextDueMs(account, nowMs)) !== undefined) return false;
    if ((await deliveries.due(account, { nowMs, limit: 1 })).length > 0) return false;
  }
  return true;
}

/** Kept tokens of a life; what it has claimed is free when it is over, however it ends. */
function mortalRows(rows: SealedRows, mortal: Mortal, claims: DisposableStack): SealedRows {
  const mortalOnes = mortal.methods(rows, ['save']);
  return { ...mortalOnes, claim: mortal.look(async (account, signal) => claims.use(await rows.claim(account, signal))) };
}

/** Knows whether a platform is at work on something that waits neither for the clock nor for an answer. */
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
      const work = operation as (...args: readonly unknown[]) => Promise<unknown>; // whatever it takes, it is handed on
      const working: typeof work = async (...args) => {
        this.#working += 1;
        return work(...args).finally(() => (this.#working -= 1));
      };
      return [name, working];
    });
    return { ...platform, operations: Object.fromEntries(operations) as SocialPlatform['operations'] }; // the same ones
  }
}
