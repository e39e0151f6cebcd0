import type { Config } from './config.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Returns a function that tells whether a rule runs. A rule with `enabled: sandbox` only runs on the sandbox. */
export function isOnIn({ sandbox }: Pick<Config, 'sandbox'>): (rule: Pick<Rule, 'enabled'>) => boolean {
  return ({ enabled }) => (enabled === 'sandbox' ? sandbox !== 'none' : enabled);
}
