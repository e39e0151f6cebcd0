import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { isShipped } from '#src/engine/rule-sets/shipped-rules.ts';
import { ConfigError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { isBelow } from '#src/rules/regular-file.ts';
import { emptyFoldersOf, namesIn, walkFolder } from '#src/rules/walk-folder.ts';

/** How often an empty folder is read. */
const LOOKED_AT_MS = 1_000;

/** The rules of the last run, compared with the folder. */
export interface RulesOfLastRun {
  readonly config: Pick<Config, 'rulesDirectory' | 'sandbox' | 'databaseUrl'>;
  readonly registry: Pick<RuleRegistry, 'stored' | 'now' | 'isOn'>;
}

/**
 * Why a start cannot take an empty rules folder, or an empty folder in it, for the deletion of its rules: it may be a volume that is not mounted.
 * Undefined if the last run had no rules there, or ran on the sandbox. Published rules do not depend on the folder.
 */
export function emptiedFolder({ config, registry }: RulesOfLastRun): ConfigError | undefined {
  const { rulesDirectory, sandbox, databaseUrl } = config;
  if (sandbox === 'inside' || databaseUrl !== undefined) return undefined;
  const lost = registry.stored.rules.filter((rule) => registry.isOn(rule) && !isShipped(rule) && !registry.now.inForce.has(rule.name));
  const isAll = namesIn(rulesDirectory)?.length === 0;
  const folder = isAll ? rulesDirectory : [...emptyFoldersOf(lost.map(({ file }) => file))].find((empty) => isBelow(rulesDirectory, empty));
  if (folder === undefined) return undefined;
  const { size } = new Set(lost.filter(({ file }) => isAll || isBelow(folder, file)).map(({ name }) => name));
  if (size === 0) return undefined;
  return new ConfigError(`the folder is empty, and the last run had ${size} ${size === 1 ? 'rule' : 'rules'}${isAll ? '' : ' in it'}`, {
    file: folder,
    hint: `check its mount or its deployment. To delete ${isAll ? 'all' : 'its'} rules, ${isAll ? '' : 'delete the folder or '}write another file into it, for example README.md`,
  });
}

/**
 * Waits while a folder is empty although the last run had rules there, and no file is added elsewhere, which may have these rules. Resolves with
 * true if it waited, so the rules must be read again.
 */
export async function untilFilled({ clock, log, ...of }: RulesOfLastRun & { readonly clock: Clock; readonly log: Log }): Promise<boolean> {
  const emptied = emptiedFolder(of);
  if (!emptied) return false;
  log.error(
    { folder: emptied.file, why: emptied.message, hint: emptied.hint },
    'rules are missing; Fanfare waits, and starts when their folder has a file. Nothing was changed',
  );
  const { file: folder } = emptied;
  // A deployment may replace the whole folder of the rules, and so leave none for a moment. A missing folder in it was deleted.
  const { rulesDirectory } = of.config;
  const ifMissing = folder === rulesDirectory ? 0 : 1;
  const before = await filesIn(rulesDirectory);
  const isSame = async (): Promise<boolean> => [...(await filesIn(rulesDirectory))].every((file) => before.has(file));
  do await clock.sleep(LOOKED_AT_MS);
  while ((namesIn(folder)?.length ?? ifMissing) === 0 && (await isSame()));
  log.info({ folder }, 'files were added, or the folder was deleted; Fanfare reads the rules');
  return true;
}

/** The files of a folder; none while it cannot be read. */
async function filesIn(folder: string): Promise<ReadonlySet<string>> {
  return new Set((await walkFolder(folder).catch(() => undefined))?.files);
}
