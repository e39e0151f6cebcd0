import type { Rule } from '#src/rules/rule.ts';
import { visible } from './format.ts';

/** A rule that is off, and the line of the file that turns it on. */
export interface OffRule extends Pick<Rule, 'name' | 'file' | 'enabledLine'> {
  readonly enabled: false | 'sandbox';
}

/** The rules that are off, those with `enabled: sandbox` first. Instances of `each` count as one rule. */
export function offRules(rules: readonly Rule[], isOn: (rule: Rule) => boolean): readonly OffRule[] {
  const byName = new Map<string, OffRule>();
  for (const rule of rules) {
    const { name, file, enabledLine, enabled } = rule;
    if (enabled !== true && !isOn(rule)) byName.set(name, { name, file, enabledLine, enabled });
  }
  const off = [...byName.values()];
  return [...off.filter(({ enabled }) => enabled === 'sandbox'), ...off.filter(({ enabled }) => enabled === false)];
}

/** A rule that is off with the line to change: `live-card, rules/live-card.yaml:4 (enabled: sandbox)`. */
export function offRuleText({ name, file, enabledLine, enabled }: OffRule): string {
  return visible(`${name}, ${file}${enabledLine === undefined ? '' : `:${enabledLine}`} (enabled: ${String(enabled)})`);
}

/** The maximum number of rules in the output of commands about other subjects. */
export const FEW_OFF_RULES = 5;

/** What to do about rules that are off. */
export const OFF_RULE_HINT = 'to run a rule that is off, write enabled: true in this line';

/** The next step if there is no rule file. */
export const NO_RULES_HINT = 'To write a rule: npx fanfare new';

/** Says that these files and folders have no rules, and how to write one. */
export function noRulesText(paths: readonly string[]): string {
  return visible(`There are no rules in ${paths.join(', ')}. ${NO_RULES_HINT}`);
}

/** A line for each rule that is off, at most `most`, and what to do. Empty if all rules are on. */
export function offRuleLines(off: readonly OffRule[], most = Infinity): readonly string[] {
  if (off.length === 0) return [];
  const more = off.length - most;
  return [
    ...off.slice(0, most).map((one) => `off: ${offRuleText(one)}`),
    ...(more > 0 ? [`off: ${more} more; npx fanfare check names them`] : []),
    OFF_RULE_HINT.replace('to', 'To'),
  ];
}
