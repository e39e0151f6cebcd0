import { relative } from 'node:path';
import type { Clock } from '#src/clock.ts';
import type { Config } from '#src/config/config.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { isShipped } from '#src/engine/rule-sets/shipped-rules.ts';
import { ConfigError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { emptyFolderOf, namesIn } from '#src/rules/empty-folder.ts';
import { isBelow } from '#src/rules/regular-file.ts';
import type { Rule } from '#src/rules/rule.ts';

/** How often an empty folder is read. */
const LOOKED_AT_MS = 1_000;

/** The rules of the last run, compared with the folder. */
export interface RulesOfLastRun {
  readonly config: Pick<Config, 'rulesDirectory' | 'sandbox' | 'databaseUrl'>;
  readonly registry: Pick<RuleRegistry, 'stored' | 'now' | 'isOn'>;
}

/**
 * Why a start cannot take an empty rules folder, or an empty folder in it, for the deletion of its rules: it may be a volume that is not mounted.
 * Undefined if the last run had no rules of the folder, or ran on the sandbox. Published rules do not depend on the folder.
 */
export function emptiedFolder({ config, registry }: RulesOfLastRun): ConfigError | undefined {
  const { rulesDirectory: root, sandbox, databaseUrl } = config;
  if (sandbox === 'inside' || databaseUrl !== undefined) return undefined;
  const ran = registry.stored.rules.filter((rule) => registry.isOn(rule) && !isShipped(rule));
  if (namesIn(root)?.length === 0) {
    const hint = 'check its mount or its deployment. To delete all rules, write another file into it, for example README.md';
    return lost({ folder: root, rules: ran, where: '', hint });
  }
  // A rule that was moved to another file is not lost.
  const missing = ran.filter(({ name }) => !registry.now.inForce.has(name));
  for (const [folder, rules] of Map.groupBy(missing, ({ file }) => emptyFolderOf(file)))
    if (folder !== undefined && isBelow(root, folder) && relative(root, folder) !== '')
      return lost({ folder, rules, where: ' in it', hint: 'check its mount or its deployment. To delete these rules, delete the folder' });
  return undefined;
}

interface LostRules {
  readonly folder: string;
  readonly rules: readonly Rule[];
  readonly where: string;
  readonly hint: string;
}

function lost({ folder, rules, where, hint }: LostRules): ConfigError | undefined {
  const { size } = new Set(rules.map(({ name }) => name));
  if (size === 0) return undefined;
  return new ConfigError(`the folder is empty, and the last run had ${size} ${size === 1 ? 'rule' : 'rules'}${where}`, {
    file: folder,
    hint,
  });
}

/** Waits while a folder is empty although the last run had rules in it. Resolves with true if it waited. */
export async function untilFilled({ clock, log, ...of }: RulesOfLastRun & { readonly clock: Clock; readonly log: Log }): Promise<boolean> {
  let waitsFor: string | undefined;
  // The folder is missing for a moment while a deployment replaces it.
  for (;;) {
    const emptied = emptiedFolder(of);
    if (!emptied && (waitsFor === undefined || namesIn(of.config.rulesDirectory))) break;
    if (emptied && emptied.file !== waitsFor)
      log.error(
        { folder: emptied.file, why: emptied.message, hint: emptied.hint },
        'rules are missing; Fanfare waits, and starts when their folder has a file. Nothing was changed',
      );
    waitsFor = emptied?.file ?? waitsFor;
    await clock.sleep(LOOKED_AT_MS);
  }
  if (waitsFor !== undefined) log.info({ folder: waitsFor }, 'Fanfare no longer waits for rules, and starts');
  return waitsFor !== undefined;
}
