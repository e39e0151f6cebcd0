import type { RuleSummary, SummarizeRule } from '#src/discord/assistant/rule-summary.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import type { Step } from '#src/rules/step.ts';
import { catalogue } from '../catalogue.ts';
import type { Desk } from './check-draft.ts';

/** Says what a drafted rule does; undefined where it cannot run. */
export function summarizeRule({ accounts, isOn, nowMs }: Omit<Desk, 'isTaken'>): SummarizeRule {
  return (source): RuleSummary | undefined => {
    const { rules, problems } = checkRule({ file: 'rule.yaml', source, catalogue, accounts, isOn, nowMs: nowMs() });
    const [rule] = rules;
    if (!rule) return undefined;
    const { about, schedule, watched, then, while: during, finally: after } = rule;
    return {
      about,
      schedule,
      watches: watched && `${watched.verb} (${watched.accounts.join(', ')})`,
      first: then.map(stepText),
      during: during.map(stepText),
      after: after.map(stepText),
      remarks: problems.filter(({ severity }) => severity === 'warning').map(({ message }) => message),
    };
  };
}

/** As `discord.send (discord) → live`. */
function stepText({ do: verb, as, with: given }: Step): string {
  const { channel } = given;
  const where = typeof channel === 'string' ? ` → #${channel.replace(/^#/u, '')}` : '';
  return `${verb}${as.length > 0 ? ` (${as.join(', ')})` : ''}${where}`;
}
