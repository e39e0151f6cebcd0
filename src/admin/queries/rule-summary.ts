import { catalogue } from '#src/clients/catalogue.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import type { Rule, Schedule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';

/** The summary of a rule that is not loaded yet. */
export interface RuleSummary {
  readonly about: string | undefined;
  readonly schedule: Schedule;
  /** The watched operation and its accounts; undefined if the rule only has a schedule. */
  readonly watches: string | undefined;
  /** The steps at the start, while an episode lasts, and at its end. */
  readonly first: readonly string[];
  readonly during: readonly string[];
  readonly after: readonly string[];
  /** The warnings of the checker. */
  readonly remarks: readonly string[];
}

/** Summarizes the text of a rule; undefined if the rule has errors. */
export type SummarizeRule = (source: string) => RuleSummary | undefined;

interface SummaryOptions {
  readonly accounts: Accounts;
  readonly isOn: (rule: Pick<Rule, 'enabled'>) => boolean;
  readonly nowMs: () => number;
}

/** Returns a function that summarizes the text of a rule. */
export function summarizeRule({ accounts, isOn, nowMs }: SummaryOptions): SummarizeRule {
  return (source): RuleSummary | undefined => {
    const { rules, diagnostics } = checkRule({ file: 'rule.yaml', source, catalogue, accounts, isOn, nowMs: nowMs() });
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
      remarks: diagnostics.filter(({ severity }) => severity === 'warning').map(({ message }) => message),
    };
  };
}

/** A step as `discord.send (discord) → #live`. */
function stepText({ do: verb, as, with: params, everyMs }: Step): string {
  const { channel } = params;
  const where = typeof channel === 'string' ? ` → #${channel.replace(/^#/u, '')}` : '';
  const often = everyMs === undefined ? '' : `, every ${formatDuration(everyMs)}`;
  return `${verb}${as.length > 0 ? ` (${as.join(', ')})` : ''}${where}${often}`;
}
