import type { Config } from '#src/config/config.ts';
import type { Clock } from '#src/clock.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { sourceToWrite } from '#src/admin/scaffold/source-to-write.ts';
import { isOnIn } from '#src/config/is-on.ts';
import type { ApprovedRules } from './approved-rules.ts';
import type { CheckContext } from './check-draft.ts';

export interface CheckContextOptions {
  readonly config: Config;
  readonly accounts: Accounts;
  readonly approvedRules: Pick<ApprovedRules, 'isTaken'>;
  readonly clock: Clock;
}

/** The context for checks of drafted rules: the configuration and the existing rules. */
export function checkContextOf({ config, accounts, approvedRules, clock }: CheckContextOptions): CheckContext {
  return {
    accounts,
    isOn: isOnIn(config),
    nowMs: () => clock.nowMs(),
    sourceToWrite: (source) => sourceToWrite(source, config),
    isTaken: (id, source) => approvedRules.isTaken(id, sourceToWrite(source, config)),
  };
}
