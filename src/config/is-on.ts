import type { Config } from './config.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Whether a rule runs: `enabled: sandbox` only while the sandbox plays. */
export function isOn({ enabled }: Pick<Rule, 'enabled'>, { sandbox }: Config): boolean {
  return enabled === 'sandbox' ? sandbox !== 'none' : enabled;
}
