import { join, resolve } from 'node:path';
import type { Config } from '#src/config/config.ts';
import type { Clock } from '#src/clock.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { readRegularFile, type FileContent } from '#src/rules/load.ts';
import { sourceToWrite } from '../drafting/source-to-write.ts';
import { isOn } from '../is-on.ts';
import type { RuleBook } from '../reload/rule-book.ts';
import type { Desk } from './check-draft.ts';

export interface DeskOptions {
  readonly config: Config;
  readonly accounts: Accounts;
  readonly book: Pick<RuleBook, 'now'>;
  readonly clock: Clock;
}

/** Where drafted rules are looked at: beside those that there are. */
export function deskOf({ config, accounts, book, clock }: DeskOptions): Desk {
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
      return book.now.rules.some((rule) => rule.name === id && resolve(rule.file) !== resolve(file));
    },
  };
}

function unlessMissing(error: unknown): FileContent | undefined {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : { unreadable: String(error) };
}
