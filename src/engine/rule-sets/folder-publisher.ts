import { ConfigError } from '#src/errors.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { CheckedFolder, FolderCheck } from './check-folder.ts';
import { errorTexts } from './plan-lines.ts';
import { versionHash, type PublishedFile, type RuleVersion, type RuleVersions } from './rule-versions.ts';

export interface FolderPublisherOptions {
  readonly check: FolderCheck;
  readonly versions: Pick<RuleVersions, 'inForce' | 'list' | 'approved' | 'publish'>;
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

/** The folder, and the version that it was compared with. */
interface Compared extends CheckedFolder {
  readonly inForce: RuleVersion | undefined;
  /** The approved files of that version. */
  readonly approved: readonly PublishedFile[];
}

/** Creates a publisher. A folder with errors is logged and not published. */
export function createFolderPublisher({ check, versions, by, clock, log }: FolderPublisherOptions): FolderPublisher {
  /** The hash of the files of the folder at the last call. */
  let seen: string | undefined;
  /** The version in force at the last call. */
  let compared: number | undefined;
  /** Whether the last read of the folder failed. */
  let isBlind = false;

  async function read(): Promise<Compared | undefined> {
    const inForce = await versions.inForce();
    const approved = inForce ? await versions.approved(inForce.number) : [];
    try {
      const folder = await check(clock.nowMs(), approved);
      isBlind = false;
      return { ...folder, inForce, approved };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      if (!isBlind) log.warn({ file: error.file, why: error.message }, 'the rules folder cannot be read: it is not published');
      isBlind = true;
      return undefined;
    }
  }

  /** Publishes the folder. Returns false if a member approved a rule at the same time, so that the folder must be read again. */
  async function publish({ files, diagnostics, errors, inForce }: Compared): Promise<boolean> {
    if (errors > 0) {
      for (const problem of errorTexts(diagnostics).values()) log.warn({ problem }, 'a rule file has errors');
      log.warn({ errors }, 'the rules folder has errors: it is not published');
      return true;
    }
    const isEmpty = inFolder(files).length === 0;
    // The disk of the folder may be missing.
    if (isEmpty && inForce) log.warn({}, 'the rules folder is empty: it is not published. To delete all rules: npx fanfare rules push');
    if (isEmpty) return true;
    const { kind, version } = await versions.publish({ files, by, after: inForce?.number ?? 0 });
    if (kind === 'published') log.info({ version: version.number }, 'the rules folder was published');
    if (kind !== 'overtaken') return true;
    const pushed = await lastPush();
    if (inForce && pushed && pushed.number <= inForce.number) return false;
    logDifference(version);
    return true;
  }

  /** The last version that is not the approval of a rule. */
  async function lastPush(): Promise<RuleVersion | undefined> {
    return (await versions.list()).find(({ approves }) => approves === undefined);
  }

  function logDifference({ number, by: publisher }: RuleVersion): void {
    log.warn(
      { version: number, by: publisher },
      'the rules folder differs from the rules in force. It is published when a file in it changes, or with npx fanfare rules push',
    );
  }

  async function publishIfChanged(): Promise<void> {
    const folder = await read();
    if (!folder) return;
    const { files, inForce, approved } = folder;
    const hash = versionHash(inFolder(files));
    if (inForce?.hash === versionHash(files)) {
      // The folder now has an approved file with the same text.
      if (files.length - inFolder(files).length < approved.length && !(await publish(folder))) return publishIfChanged();
    } else {
      // If this folder was published last, and differs at the first call, it has changed since then.
      const isChanged = seen === undefined ? !inForce || (await lastPush())?.by === by : hash !== seen;
      if (isChanged && !(await publish(folder))) return publishIfChanged();
      if (!isChanged && inForce && inForce.number !== compared) logDifference(inForce);
    }
    seen = hash;
    compared = inForce?.number;
  }

  return {
    async publishFirst() {
      if (await versions.inForce()) return;
      const folder = await read();
      if (folder && !folder.inForce) await publish(folder);
    },

    async publishChange() {
      try {
        await publishIfChanged();
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

/** The files that the folder has. */
function inFolder(files: readonly PublishedFile[]): readonly PublishedFile[] {
  return files.filter(({ isApproved = false }) => !isApproved);
}
