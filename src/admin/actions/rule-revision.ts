import { hash } from '#src/rules/firing.ts';
import type { Pauses } from '#src/engine/scheduler/rule-states.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Names the state of rules that people change: their texts, whether they are on, and their pauses. */
export function ruleRevision(rules: readonly Rule[], { paused, planned }: Pauses, isOn: (rule: Rule) => boolean): string {
  const states = rules.map((rule) => [rule.id, rule.version, rule.published, isOn(rule), paused.get(rule.id), planned.get(rule.id)]);
  return hash(JSON.stringify(states));
}
