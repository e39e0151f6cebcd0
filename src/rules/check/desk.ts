import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Accounts } from '../accounts.ts';
import type { Path, Report } from '../document/report.ts';
import type { RuleDocument } from '../document/rule-document.ts';
import type { Place } from '../expression/expressions.ts';
import type { Rule } from '../rule.ts';
import type { StepNames } from '../step.ts';

/** The file that is checked, what it is checked against, and where what is wrong with it is said. */
export interface Desk {
  readonly document: RuleDocument;
  readonly report: Report;
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
  /** What `vars` and `each` stand for in the instance that is checked. */
  readonly constants?: StepNames['constants'];
  readonly nowMs?: number | undefined;
  /** Whether a rule that says so runs; absent: unless it says `false`. */
  readonly isOn?: IsOn | undefined;
}

/** Whether a rule of which `enabled` says so runs in an installation. */
export type IsOn = (rule: Pick<Rule, 'enabled'>) => boolean;

/** A desk for a rule of which it is known whether it runs. */
export interface RuleDesk extends Desk {
  /** It does not run: what it lacks in this installation keeps nobody from loading it. */
  readonly isOff: boolean;
}

/** Whether the author wrote anything there. */
export function isWritten({ document }: Desk, path: Path): boolean {
  return document.nodeAt(path) !== undefined;
}

/** Where only `vars` and `each` are seen. */
export function fixedPlace({ constants }: Desk): Place {
  return { kind: 'fixed', names: { steps: {}, constants } };
}
