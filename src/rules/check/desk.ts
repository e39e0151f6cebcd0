import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Accounts } from '../accounts.ts';
import type { Path, Report } from '../document/report.ts';
import type { RuleDocument } from '../document/rule-document.ts';

/** The file that is checked, what it is checked against, and where what is wrong with it is said. */
export interface Desk {
  readonly document: RuleDocument;
  readonly report: Report;
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
}

/** Whether the author wrote anything there. */
export function isWritten({ document }: Desk, path: Path): boolean {
  return document.nodeAt(path) !== undefined;
}
