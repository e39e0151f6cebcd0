import type { Catalogue } from '#src/clients/operation/declared.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Path, Report } from '#src/rules/document/report.ts';
import type { RuleDocument } from '#src/rules/document/rule-document.ts';
import type { ListShapes } from '#src/rules/expression/list-shapes.ts';
import type { ExpressionSite } from '#src/rules/expression/expressions.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { StepNames } from '#src/rules/step.ts';

/** A rule file under check, and everything that the checks need. */
export interface CheckContext {
  readonly document: RuleDocument;
  readonly report: Report;
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
  /** The values of `vars` and `each` in the checked instance. */
  readonly constants?: StepNames['constants'];
  /** The lists of the installation. Absent: each list that a rule names exists. */
  readonly lists?: ListShapes | undefined;
  /** Those of `lists` that the expressions of this file see; undefined: it reads none. */
  readonly listShapes?: ListShapes | undefined;
  /** The current time, to warn of a past `at`, in milliseconds since 1970. */
  readonly nowMs?: number | undefined;
  /** Whether a rule runs in this installation. Missing accounts of a rule that is off are warnings. */
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
export function fixedSite({ constants, listShapes }: CheckContext): ExpressionSite {
  return { kind: 'fixed', names: { steps: {}, listShapes, constants } };
}
