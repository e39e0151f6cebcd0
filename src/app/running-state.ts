import { isBeforeRelease, RELEASE, systemClock, type Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import { warnOfLoss } from '#src/config/data-directory.ts';
import type { Log } from '#src/log.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { DatabaseHealth } from '#src/admin/queries/database-health.ts';
import type { Cluster } from '#src/store/postgres/cluster.ts';
import type { UnclosedFile } from '#src/store/sqlite/file-check.ts';
import type { OnMigrate } from '#src/store/schema/versions.ts';
import type { OnUnavailable } from '#src/store/sqlite/dialect.ts';
import type { Store } from '#src/store/store.ts';
import { createFileHealth } from '#src/store/sqlite/file-health.ts';
import type { Role } from './roles.ts';
import { otherEnvironment } from './other-environment.ts';
import { keyFingerprintOf, warnOfOtherKeys } from './shared-key.ts';
import { openState, refuseUnmovedState } from './stored-state.ts';

/** The stored state may be slightly ahead, because two slots in one millisecond are stored one millisecond apart. */
const SHOWN_AHEAD_MS = 1_000;

/** How often a clock that is wrong is read. */
const LOOKED_AT_MS = 1_000;

export interface RunningStateOptions {
  readonly config: Config;
  /** The clock if the state is a file; default: the clock of the machine. */
  readonly localClock?: Clock | undefined;
  /** The id of this process. */
  readonly worker: string;
  readonly role: Role;
  /** Receives what the connections learn about the database. */
  readonly database: DatabaseHealth;
  readonly log: Log;
}

/** The state of a running process. */
export interface RunningState extends AsyncDisposable {
  readonly store: Store;
  readonly clock: Clock;
  /** The file in which damage is to be looked for in the background; absent: there is none. */
  readonly unclosed?: UnclosedFile | undefined;
  /** The other processes on the same state; absent: there are none. */
  readonly cluster?: Cluster | undefined;
  /** Keeps what other processes and the next start need to know, until `signal` aborts. */
  readonly keepState: (signal: AbortSignal) => Promise<void>;
}

/** Opens the state of a process that runs rules. */
export async function openRunningState({
  config,
  localClock: clock = systemClock,
  worker,
  role,
  database,
  log,
}: RunningStateOptions): Promise<RunningState> {
  const { databaseUrl } = config;
  // The stored times would be moved to the wrong time, and nothing could move them back.
  if (databaseUrl === undefined && clock === systemClock) await untilReleased(clock, log);
  const onMigrate: OnMigrate = (versions) =>
    log.info(
      versions,
      'the format of the state is from an earlier version: Fanfare migrates it, which takes minutes for millions of deliveries',
    );
  if (databaseUrl === undefined) {
    let unclosed: UnclosedFile | undefined;
    const onUnclosed = (found: UnclosedFile): void => void (unclosed = found);
    const onEmpty = (): void => warnOfLoss(config, log);
    const fileHealth = createFileHealth({ health: database, clock });
    let isOpen = false;
    // Before, an error ends the start, and nothing waits.
    const onUnavailable: OnUnavailable = (error) => isOpen && fileHealth.failed(error);
    const store = await openState(config, { clock, onUnclosed, onEmpty, onMigrate, onUnavailable, replacesRunning: true });
    await beginEnvironment(store, { config, isAlone: true, opened: store, log });
    const { generation } = store;
    await generation?.begin(log);
    await continueState(store, log);
    isOpen = true;
    return {
      store,
      clock,
      unclosed,
      async keepState(signal) {
        if (generation) await Promise.all([generation.keep(log, signal), fileHealth.run(() => generation.write(), signal)]);
      },
      async [Symbol.asyncDispose]() {
        await generation?.raise().catch((error: unknown) => log.debug({ error }, 'the generation of the state cannot be stored'));
        await store[Symbol.asyncDispose]();
      },
    };
  }
  const { openCluster } = await import('#src/store/postgres/cluster.ts');
  const keyFingerprint = await keyFingerprintOf(config);
  let hasWaited = false;
  const onWait = (why: string): void => {
    if (!hasWaited) log.error({ why }, 'the database cannot be opened; Fanfare waits, and starts when it can');
    hasWaited = true;
  };
  const cluster = await openCluster({ url: databaseUrl, worker, role, keyFingerprint, health: database, onWait, onMigrate, log });
  if (hasWaited) log.info({}, 'the database answers; Fanfare starts');
  await refuseUnmovedState(config, { ruleStates: cluster.store.ruleStates, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() });
  const { store, clock: databaseClock, workers } = cluster;
  await beginEnvironment(store, { config, isAlone: workers.wasAlone, opened: cluster, log });
  await warnOfOtherKeys(store, config, log);
  if (cluster.continues) await continueState(store, log);
  return {
    store,
    clock: databaseClock,
    cluster,
    keepState: (signal) => cluster.run(signal),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

/** Waits while the clock of the machine shows an instant before the release of this Fanfare. */
export async function untilReleased(clock: Clock, log: Log): Promise<void> {
  const nowMs = clock.nowMs();
  if (!isBeforeRelease(nowMs)) return;
  const times = { now: new Date(nowMs).toISOString(), release: new Date(RELEASE.afterMs).toISOString() };
  log.error(
    times,
    'the clock is wrong: it is before the release of this Fanfare. Fanfare waits, and starts when it is right. Turn on time synchronization: timedatectl set-ntp true',
  );
  while (isBeforeRelease(clock.nowMs())) await clock.sleep(LOOKED_AT_MS);
  log.info({}, 'the clock is right; Fanfare starts');
}

/** Looks for damage in the whole file of the state if the last process ended without closing it. Ends the process if there is some. */
export async function checkState({
  unclosed,
  restart,
  log,
  signal,
}: Pick<RunningState, 'unclosed'> & {
  readonly restart: { readonly reject: (error: unknown) => void };
  readonly log: Log;
  readonly signal: AbortSignal;
}): Promise<void> {
  if (!unclosed || signal.aborted) return;
  const { file, noteDamage } = unclosed;
  log.info({ file }, 'the last process did not close the state: Fanfare looks for damage in the background');
  try {
    const { isSound } = await import('#src/store/sqlite/check-file.ts');
    if (await isSound(file, { signal })) log.debug({ file }, 'the state has no damage');
    else restart.reject(noteDamage());
  } catch (error) {
    if (!signal.aborted) log.warn({ error }, 'the state could not be checked for damage');
  }
}

/** Keeps what the sandbox simulated away from real accounts, and the sandbox away from the state of real accounts. */
async function beginEnvironment(
  { environments }: Store,
  {
    config,
    isAlone,
    opened,
    log,
  }: Pick<RunningStateOptions, 'config' | 'log'> & { readonly isAlone: boolean; readonly opened: AsyncDisposable },
): Promise<void> {
  const begun = await environments.begin(config.sandbox === 'none' ? 'real' : 'sandbox', { isAlone });
  if (begun === 'cleared')
    log.info(
      {},
      'real accounts replace the sandbox: its announcements and waiting deliveries were deleted and will not be sent. Users, tokens, pauses and lists are kept',
    );
  if (begun !== 'refused') return;
  await opened[Symbol.asyncDispose]();
  throw otherEnvironment(config);
}

/** Continues a state whose clock was ahead, or that was restored from a copy. */
async function continueState({ storedClock, restores }: Store, log: Log): Promise<void> {
  const aheadMs = await storedClock.continueFromNow();
  if (aheadMs >= SHOWN_AHEAD_MS)
    log.warn(
      { ahead: formatDuration(aheadMs) },
      'the clock was set back since the last run: rules continue from now and repeat no announcement',
    );
  const restored = await restores.begin();
  if (restored)
    log.warn(
      restored,
      'the state was restored from a copy: before Fanfare sends anything, it searches the platforms for posts that the copy does not have',
    );
}
