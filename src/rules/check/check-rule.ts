import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Accounts } from '../accounts.ts';
import { plainValue, TooLarge } from '../document/plain-value.ts';
import { readDocument } from '../document/read-document.ts';
import { Report, type NamedFile } from '../document/report.ts';
import { RuleFile } from '../grammar/rule-file.ts';
import type { Problem } from '../problem.ts';
import type { Rule } from '../rule.ts';
import { shapeOf } from '../shape/shape.ts';
import type { Desk, IsOn } from './desk.ts';
import type { FollowedRule } from './followed-rules.ts';
import { readInstances } from './instances.ts';
import { readRule } from './read-rule.ts';
import type { Standing } from './warnings/warn-of-same-target.ts';

export interface CheckRuleOptions {
  /** The name of the file, as problems show it. */
  readonly file: string;
  readonly source: string;
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
  /** What the clocks show, so that an `at` that has passed is noticed; in milliseconds since 1970. */
  readonly nowMs?: number | undefined;
  /** Whether a rule runs here: of one that does not, missing accounts are only warned of. Absent: unless it says `enabled: false`. */
  readonly isOn?: IsOn | undefined;
}

/** A file that was checked: its rules can run, and there are none where an error is among its problems. */
export interface CheckedRule {
  /** One, or one for each instance of `each`. */
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
  /** The messages that they write over whatever they fire for. */
  readonly standing: readonly Standing[];
  /** The rules whose history they read. */
  readonly follows: readonly FollowedRule[];
  /** The files of this machine that it names. */
  readonly files: readonly NamedFile[];
}

/** The rules in a file, with everything that is wrong with it. */
export function checkRule({ file, source: given, ...options }: CheckRuleOptions): CheckedRule {
  const source = given.replace(/^\uFEFF/u, '');
  const report = new Report(file, source);
  const document = readDocument(source, report);
  const nothing = { rules: [], standing: [], follows: [], files: [] };
  if (!document) return { ...nothing, problems: report.problems };
  try {
    const read = readRules({ file, source }, { document, report, ...options });
    return { ...(report.hasErrors ? nothing : { ...read, files: report.files }), problems: report.problems };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    report.error({ path: [], offset: 0 }, 'the file is larger inside than any rule is', 'does an alias stand for something that holds it?');
    return { ...nothing, problems: report.problems };
  }
}

function readRules(from: { readonly file: string; readonly source: string }, desk: Desk): Omit<CheckedRule, 'problems' | 'files'> {
  const raw = plainValue(desk.document, [], shapeOf(RuleFile));
  const rules: Rule[] = [];
  const standing = new Map<string, Standing>();
  const follows: FollowedRule[] = [];
  for (const { suffix, constants } of readInstances(raw, desk)) {
    if (desk.report.isFull) break;
    const read = readRule({ ...from, raw, suffix }, { ...desk, constants });
    if (read.rule) rules.push(read.rule);
    follows.push(...read.follows);
    for (const one of read.standing) {
      if (rules.length > 1 && standing.has(one.target)) {
        desk.report.warning(one.spot, 'every rule of each edits this message: only the last is seen', 'put a value of each into it');
      }
    }
    for (const one of read.standing) standing.set(one.target, one);
  }
  return { rules, standing: [...standing.values()], follows };
}
