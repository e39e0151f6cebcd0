import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '#src/rules/firing.ts';
import type { Step } from '#src/rules/step.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openStore } from '#src/store/store.ts';
import { committing, firing } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openConnections, type Connections } from './connections.ts';
import type { WriteKind, Network } from './networks.ts';
import { sealedIn } from './sealed.ts';
import type { PlatformRecord } from './platform-records.ts';
import { NO_FAULTS, ordersOf, type FaultSchedule } from './faults.ts';

/** The values that a scenario builds its steps from. */
interface ScenarioInput {
  /** Different in each world. */
  readonly uniqueText: string;
  /** The folder for its files. */
  readonly folder: string;
  /** The id of an existing post of the account; empty if the scenario needs none. */
  readonly subject: string;
  /** The recipient of direct messages. */
  readonly friend: string;
  readonly now: Date;
}

/** The steps of one firing. */
export interface Scenario {
  readonly write: WriteKind;
  /** Whether it edits, deletes or quotes an existing post. */
  readonly hasSubject?: boolean;
  /** The time between two worlds, because platforms limit writes per hour or per day. */
  readonly apartMs?: number;
  readonly plan: (input: ScenarioInput) => { readonly steps: readonly Step[]; readonly verbs?: Readonly<Record<string, string>> };
}

export interface WorldOptions {
  readonly scenario: Scenario;
  readonly faults?: FaultSchedule | undefined;
  /** Whether the access token of the account has expired. */
  readonly isExpired?: boolean | undefined;
  /** The time between a kill and the restart. */
  readonly downMs?: number | undefined;
}

/** One scenario on one platform, with a database that survives the kills. */
export interface World {
  readonly stage: Stage;
  readonly file: string;
  readonly commit: Commit;
  readonly faults: FaultSchedule;
  /** Whether the response to this request becomes a 503. */
  readonly failsAfterWrite: (request: { readonly method: string; readonly path: string }) => boolean;
  /** The records that the scenario created on the platform. */
  written(): Promise<readonly PlatformRecord[]>;
  /** The existing post; undefined if it was deleted or the scenario has none. */
  subject(): Promise<PlatformRecord | undefined>;
  deliveries(): Promise<readonly Delivery[]>;
  /** The number of sign-ins after the first one. */
  readonly signIns: number;
  /** Signs the account in, as `fanfare auth` does. */
  signIn(): Promise<void>;
}

/** A simulated platform that several worlds use in turn. */
export interface Stage extends AsyncDisposable {
  readonly network: Network;
  readonly sandbox: Sandbox;
  readonly clock: ManualClock;
  readonly connections: Connections;
  newWorld(options: WorldOptions): Promise<World>;
}

export async function openStage(network: Network): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(temporaryFolder({ inMemory: true }));
  const clock = new ManualClock();
  const sandbox = opening.use(await startSandbox({ clock, platforms: [network.server] }));
  await network.promote?.(sandbox);
  const connections = opening.use(openConnections(clock));
  const empty = join(folder.path, 'empty.sqlite');
  await (await openStore({ file: empty, clock }))[Symbol.asyncDispose]();
  let worlds = 0;

  async function newWorld({ scenario, faults = NO_FAULTS, isExpired = false }: WorldOptions): Promise<World> {
    worlds += 1;
    const file = join(folder.path, `${worlds}.sqlite`);
    copyFileSync(empty, file);
    const { write: kind, hasSubject = false, apartMs = 60_000, plan } = scenario;
    const uniqueText = `world-${worlds}`;
    // The limits of a platform apply to all worlds together.
    await clock.advance(apartMs);
    sandbox.faults.clear();

    async function signIn(options: { readonly isExpired: boolean }): Promise<void> {
      await using store = await openStore({ file, clock, isChecked: false });
      await sealedIn(store.sealedRows, network.name).save(await network.signIn(sandbox, { clock, ...options }));
    }
    await signIn({ isExpired });

    async function createSubject(): Promise<string> {
      await using store = await openStore({ file, clock, isChecked: false });
      await using platform = network.open(sandbox, { tokens: sealedIn(store.sealedRows, network.name), clock });
      return (await new SocialAsync({ platform, clock }).createPost(`An existing post before ${uniqueText}.`)).id;
    }
    const subject = hasSubject ? await createSubject() : '';
    const { steps, verbs = {} } = plan({
      uniqueText,
      folder: folder.path,
      subject,
      friend: network.friend(sandbox),
      now: new Date(clock.nowMs()),
    });
    const before = new Set((await network.recordsOf(sandbox)).map(({ id }) => id));
    for (const order of ordersOf(faults, network, kind)) sandbox.faults.add(order);
    const write = network.writes[kind];
    let failures = faults.failuresAfterWrite ?? 0;
    let signIns = 0;

    return {
      stage,
      file,
      faults,
      commit: committing([
        firing(steps, { episode: `world@${worlds}`, atMs: clock.nowMs(), id: hash('world', String(worlds)), names: { steps: verbs } }),
      ]),
      failsAfterWrite: ({ method, path }) => method === write?.method && path.includes(write.route) && failures > 0 && failures-- > 0,
      written: async () => (await network.recordsOf(sandbox)).filter(({ id }) => !before.has(id)),
      subject: async () => (await network.recordsOf(sandbox)).find(({ id }) => id === subject),
      async deliveries() {
        await using store = await openStore({ file, clock, isChecked: false });
        return (await store.deliveryLog.list({ limit: 100, idle: true })).items.toReversed();
      },
      get signIns() {
        return signIns;
      },
      async signIn() {
        signIns += 1;
        await signIn({ isExpired: false });
      },
    };
  }

  const opened = opening.move();
  const stage: Stage = { network, sandbox, clock, connections, newWorld, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  return stage;
}
