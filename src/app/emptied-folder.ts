import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { isShipped } from '#src/engine/rule-sets/shipped-rules.ts';
import { ConfigError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { namesIn } from '#src/rules/walk-folder.ts';

/** How often an empty folder is read. */
const LOOKED_AT_MS = 1_000;

/** The rules of the last run, compared with the folder. */
export interface RulesOfLastRun {
  readonly config: Pick<Config, 'rulesDirectory' | 'sandbox' | 'databaseUrl'>;
  readonly registry: Pick<RuleRegistry, 'stored' | 'isOn'>;
}

/**
 * Why a start cannot take an empty rules folder for the deletion of all rules: it may be a volume that is not mounted. Undefined if the last run
 * had no rules of the folder, or ran on the sandbox. Published rules do not depend on the folder.
 */
export function emptiedFolder({ config, registry }: RulesOfLastRun): ConfigError | undefined {
  const { rulesDirectory: folder, sandbox, databaseUrl } = config;
  if (sandbox === 'inside' || databaseUrl !== undefined || namesIn(folder)?.length !== 0) return undefined;
  const ran = new Set(registry.stored.rules.filter((rule) => registry.isOn(rule) && !isShipped(rule)).map(({ name }) => name));
  if (ran.size === 0) return undefined;
  return new ConfigError(`the folder is empty, and the last run had ${ran.size} ${ran.size === 1 ? 'rule' : 'rules'}`, {
    file: folder,
    hint: 'check its mount or its deployment. To delete all rules, write another file into it, for example README.md',
  });
}

/** Waits while the folder is empty although the last run had rules. Resolves with true if it waited. */
export async function untilFilled({ clock, log, ...of }: RulesOfLastRun & { readonly clock: Clock; readonly log: Log }): Promise<boolean> {
  const emptied = emptiedFolder(of);
  if (!emptied) return false;
  log.error(
    { folder: emptied.file, why: emptied.message, hint: emptied.hint },
    'there are no rules; Fanfare waits, and starts when their folder has a file. Nothing was changed',
  );
  do await clock.sleep(LOOKED_AT_MS);
  while ((namesIn(of.config.rulesDirectory)?.length ?? 0) === 0);
  log.info({}, 'the rules folder has a file; Fanfare starts');
  return true;
}
