import type { Accounts } from '../accounts.ts';
import { readDocument } from '../document/read-document.ts';
import { Report, type Path } from '../document/report.ts';
import type { Problem } from '../problem.ts';
import { closestName } from '../wording/closest-name.ts';
import { durationText } from '../wording/duration-text.ts';
import { enumerate } from '../wording/enumerate.ts';
import type { CheckedRule } from './check-rule.ts';
import { loadOf, type AccountLoad } from './request-load.ts';

/** A file that was checked by itself. */
export interface CheckedFile extends CheckedRule {
  readonly file: string;
  readonly source: string;
  /** What is wrong with the files that it names, as they are now; absent: nobody looked. */
  readonly lacks?: readonly Problem[] | undefined;
}

/** Where nobody knows what an account is allowed: more than this few platforms like. */
const LIKELY_BUDGET = 600;

/** A hint names no more rules than that. */
const MOST_NAMES = 10;

export interface AcrossOptions {
  readonly accounts: Accounts;
  /** The ids of all rules that there are; absent: nobody knows all of them. */
  readonly ids?: ReadonlySet<string> | undefined;
}

/** What only shows where all rules are seen together: messages that two files edit, accounts that are asked too often, rules that nobody wrote. */
export function problemsAcross(files: readonly CheckedFile[], { accounts, ids }: AcrossOptions): readonly Problem[] {
  return [...sharedMessages(files), ...overAsked(files, accounts), ...(ids ? strangersFollowed(files, ids) : [])];
}

function strangersFollowed(files: readonly CheckedFile[], ids: ReadonlySet<string>): readonly Problem[] {
  return files.flatMap(({ file, source, follows }) => {
    const report = new Report(file, source);
    for (const { rule, spot } of follows) {
      if (ids.has(rule)) continue;
      const meant = closestName(rule, ids);
      const known = [...ids].filter((id) => !id.includes('/')).toSorted();
      const there = known.length > MOST_NAMES ? undefined : `there ${known.length === 1 ? 'is' : 'are'} ${enumerate(known, 'and')}`;
      report.warning(
        spot,
        `there is no rule ${rule}: nothing is known of what it followed`,
        meant === undefined ? there : `did you mean ${meant}?`,
      );
    }
    return report.problems;
  });
}

function sharedMessages(files: readonly CheckedFile[]): readonly Problem[] {
  const first = new Map<string, CheckedFile>();
  return files.flatMap((one) =>
    one.standing.flatMap(({ target, spot }) => {
      const other = first.get(target) ?? one;
      first.set(target, other);
      if (other === one) return [];
      const report = new Report(one.file, one.source);
      report.warning(spot, `${other.file} edits this message, too: each writes over the other`, 'give one of them another name');
      return report.problems;
    }),
  );
}

function overAsked(files: readonly CheckedFile[], accounts: Accounts): readonly Problem[] {
  const rules = files.flatMap((one) => one.rules);
  return loadOf(rules).flatMap((load) => {
    const budget = accounts[load.client]?.requestsPerMinute?.[load.account] ?? LIKELY_BUDGET;
    const worst = files.find((one) => one.rules.includes(load.worst.rule));
    return load.perMinute > budget && worst ? warnOfLoad(worst, load, budget) : [];
  });
}

function warnOfLoad({ file, source }: CheckedFile, { account, perMinute, worst }: AccountLoad, budget: number): readonly Problem[] {
  const report = new Report(file, source);
  const path: Path = ['when', 'every'];
  const spot = readDocument(source, new Report(file, source))?.spot(path) ?? { path, offset: 0 };
  const share = Math.round(worst.perMinute);
  const cure = durationText((worst.everyMs * perMinute) / budget);
  report.warning(
    spot,
    `all rules together ask ${account} ${Math.round(perMinute)} times a minute, and it allows about ${budget}: this one asks ${share} times`,
    `look less often, about every ${cure}, or at fewer pages`,
  );
  return report.problems;
}
