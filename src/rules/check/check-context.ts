import type { Catalogue } from '#src/operation/declared.ts';
import type { Accounts } from '../accounts.ts';
import type { Path, Report } from '../document/report.ts';
import type { RuleDocument } from '../document/rule-document.ts';
import type { ExpressionSite } from '../expression/expressions.ts';
import type { Rule } from '../rule.ts';
import type { StepNames } from '../step.ts';

/** A rule file under check, and everything that the checks need. */
export interface CheckContext {
  readonly document: RuleDocument;
  readonly report: Report;
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
  /** The values of `vars` and `each` in the checked instance. */
  readonly constants?: StepNames['constants'];
  readonly nowMs?: number | undefined;
  readonly isOn?: IsOn | undefined;
}

/** Whether a rule runs in this installation. Without it, a rule runs unless it has `enabled: false`. */
export type IsOn = (rule: Pick<Rule, 'enabled'>) => boolean;

export interface RuleCheckContext extends CheckContext {
  /** Whether the rule is off. Then missing accounts are warnings. */
  readonly isOff: boolean;
}

/** Whether the file has a value at this path. */
export function isSet({ document }: CheckContext, path: Path): boolean {
  return document.nodeAt(path) !== undefined;
}

/** The site of expressions that see only `vars` and `each`. */
export function fixedSite({ constants }: CheckContext): ExpressionSite {
  return { kind: 'fixed', names: { steps: {}, constants } };
}
