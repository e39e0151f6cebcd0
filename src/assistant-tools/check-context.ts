import { join, resolve } from 'node:path';
import type { Config } from '#src/config/config.ts';
import type { Clock } from '#src/clock.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { readRegularFile, type FileContent } from '#src/rules/regular-file.ts';
import { sourceToWrite } from '#src/scaffold/source-to-write.ts';
import { isOn } from '#src/config/is-on.ts';
import type { RuleRegistry } from '#src/registry/rule-registry.ts';
import type { CheckContext } from './check-draft.ts';

export interface CheckContextOptions {
  readonly config: Config;
  readonly accounts: Accounts;
  readonly registry: Pick<RuleRegistry, 'now'>;
  readonly clock: Clock;
}

/** The context for checks of drafted rules: the configuration and the existing rules. */
export function checkContextOf({ config, accounts, registry, clock }: CheckContextOptions): CheckContext {
  return {
    accounts,
    isOn: (rule) => isOn(rule, config),
    nowMs: () => clock.nowMs(),
    sourceToWrite: (source) => sourceToWrite(source, config),

    async isTaken(id, source) {
      const file = join(config.rulesDirectory, `${id}.yaml`);
      const text = sourceToWrite(source, config);
      const there = await readRegularFile(file, text.length * 4).catch(unlessMissing);
      if (there && !('bytes' in there && Buffer.from(there.bytes).toString() === text)) return true;
      return registry.now.rules.some((rule) => rule.name === id && resolve(rule.file) !== resolve(file));
    },
  };
}

function unlessMissing(error: unknown): FileContent | undefined {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : { unreadable: String(error) };
}
