import { Alarm } from '#src/engine/alarm.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Reloads } from './reloads.ts';
import type { RuleRegistry } from './rule-registry.ts';
import type { RuleVersions } from './rule-versions.ts';
import type { FolderPublisher } from './folder-publisher.ts';
import { watchFolder } from './watch-folder.ts';

/** Notifications can be lost, so each process also asks for the version in force at this interval. */
const ASK_EVERY_MS = 10_000;

export interface FollowVersionsOptions {
  readonly registry: Pick<RuleRegistry, 'version'>;
  readonly reload: Reloads['reload'];
  /** Calls the listener when another version may be in force. Returns a function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Keeps the rules of this process at the version in force, until `signal` aborts. */
export async function followVersions({ registry, reload, subscribe, clock, log, signal }: FollowVersionsOptions): Promise<void> {
  const changed = new Alarm();
  const unsubscribe = subscribe(() => changed.ring());
  try {
    while (!signal.aborted) {
      const before = registry.version?.number;
      await reload();
      const { version } = registry;
      if (version && version.number !== before)
        log.info({ version: version.number, by: version.by }, 'another version of the rules is in force');
      await changed.wait(ASK_EVERY_MS, { clock, signal });
    }
  } finally {
    unsubscribe();
  }
}

export interface PublishChangesOptions {
  readonly folder: string;
  readonly publisher: FolderPublisher;
  readonly versions: Pick<RuleVersions, 'claimFolder'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Publishes the rules folder when a file changes, while no other process does so, until `signal` aborts. */
export async function publishChanges({ folder, publisher, versions, clock, log, signal }: PublishChangesOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      using _claim = await versions.claimFolder({ signal });
      publisher.restart();
      await watchFolder({ path: folder, onChange: () => publisher.publishChange(), clock, signal });
    } catch (error) {
      if (signal.aborted) return;
      log.debug({ error }, 'the rules folder cannot be watched now');
      await clock.sleep(ASK_EVERY_MS, signal).catch(() => undefined);
    }
  }
}
