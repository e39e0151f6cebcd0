import { ConfigError } from '#src/errors.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { CheckedFolder } from './check-folder.ts';
import { errorTexts } from './plan-lines.ts';
import { versionHash, type RuleVersion, type RuleVersions } from './rule-versions.ts';

export interface FolderPublisherOptions {
  readonly check: (nowMs: number) => Promise<CheckedFolder>;
  readonly versions: Pick<RuleVersions, 'inForce' | 'publish'>;
  /** The name of this folder as a publisher. */
  readonly by: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Publishes the rules folder of this machine. */
export interface FolderPublisher {
  /** Publishes the folder if nothing is published yet. */
  publishFirst(): Promise<void>;
  /** Publishes the folder if a file has changed since the last call. The first call publishes only changes to its own last version. */
  publishChange(): Promise<void>;
  /** Forgets the last call, because other processes watch their folders from now on. */
  restart(): void;
}

/** Creates a publisher. A folder with errors is logged and not published. */
export function createFolderPublisher({ check, versions, by, clock, log }: FolderPublisherOptions): FolderPublisher {
  /** The hash of the files at the last call. */
  let seen: string | undefined;
  /** The version in force at the last call. */
  let compared: number | undefined;
  /** Whether the last read of the folder failed. */
  let isBlind = false;

  async function read(): Promise<CheckedFolder | undefined> {
    try {
      const folder = await check(clock.nowMs());
      isBlind = false;
      return folder;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      if (!isBlind) log.warn({ file: error.file, why: error.message }, 'the rules folder cannot be read: it is not published');
      isBlind = true;
      return undefined;
    }
  }

  async function publish({ files, diagnostics, errors }: CheckedFolder, inForce: RuleVersion | undefined): Promise<void> {
    if (errors > 0) {
      for (const problem of errorTexts(diagnostics).values()) log.warn({ problem }, 'a rule file has errors');
      log.warn({ errors }, 'the rules folder has errors: it is not published');
      return;
    }
    // The disk of the folder may be missing.
    if (files.length === 0 && inForce) {
      log.warn({}, 'the rules folder is empty: it is not published. To delete all rules: fanfare rules push');
      return;
    }
    if (files.length === 0) return;
    const { kind, version } = await versions.publish({ files, by, after: inForce?.number ?? 0 });
    if (kind === 'published') log.info({ version: version.number }, 'the rules folder was published');
    if (kind === 'overtaken') logDifference(version);
  }

  function logDifference({ number, by: publisher }: RuleVersion): void {
    log.warn(
      { version: number, by: publisher },
      'the rules folder differs from the rules in force. It is published when a file in it changes, or with fanfare rules push',
    );
  }

  return {
    async publishFirst() {
      if (await versions.inForce()) return;
      const folder = await read();
      if (folder) await publish(folder, undefined);
    },

    async publishChange() {
      try {
        const folder = await read();
        if (!folder) return;
        const hash = versionHash(folder.files);
        const inForce = await versions.inForce();
        // If this folder was published last, and differs at the first call, it has changed since then.
        const isChanged = seen === undefined ? !inForce || inForce.by === by : hash !== seen;
        if (inForce?.hash !== hash) {
          if (isChanged) await publish(folder, inForce);
          else if (inForce && inForce.number !== compared) logDifference(inForce);
        }
        seen = hash;
        compared = inForce?.number;
      } catch (error) {
        log.error({ error }, 'the rules folder could not be published; Fanfare tries again');
      }
    },

    restart() {
      seen = undefined;
      compared = undefined;
    },
  };
}
