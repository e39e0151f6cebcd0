import type { Config } from './config.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Whether a rule runs. A rule with `enabled: sandbox` only runs on the sandbox. */
export function isOn({ enabled }: Pick<Rule, 'enabled'>, { sandbox }: Config): boolean {
  return enabled === 'sandbox' ? sandbox !== 'none' : enabled;
}
