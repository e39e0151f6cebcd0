import type { Schedule } from '#src/rules/rule.ts';
import { scheduleLine } from '../controls/rule-lines.ts';
import type { Words } from '../language/words.ts';
import { escaped } from '../text/foreign-text.ts';

/** What a rule does, as its check sees it. */
export interface RuleSummary {
  readonly about: string | undefined;
  readonly schedule: Schedule;
  /** What it looks at; absent: its schedule alone makes it speak. */
  readonly watches: string | undefined;
  /** What it does when something is new, while it lasts, and when it is over. */
  readonly first: readonly string[];
  readonly during: readonly string[];
  readonly after: readonly string[];
  /** What its author should know. */
  readonly remarks: readonly string[];
}

/** Looks at the text of a rule; undefined: it cannot run. */
export type SummarizeRule = (source: string) => RuleSummary | undefined;

const LONGEST_LINE = 150;
const MOST_REMARKS = 3;

/** What a rule does, in plain words. */
export function summaryLines(summary: RuleSummary, words: Words): readonly string[] {
  const { draft } = words.assistant;
  const { about, schedule, watches, first, during, after, remarks } = summary;
  const said = (text: string): string => escaped(text, LONGEST_LINE);
  const steps = (label: string, all: readonly string[]): readonly string[] =>
    all.length > 0 ? [`**${label}:** ${said(all.join(', '))}`] : [];
  return [
    ...(about === undefined ? [] : [said(about)]),
    `**${draft.schedule}:** ${scheduleLine(schedule, { words, locale: words.lookups.tag })}`,
    ...(watches === undefined ? [] : [`**${draft.watches}:** ${said(watches)}`]),
    ...steps(watches === undefined ? draft.does : draft.first, first),
    ...steps(draft.during, during),
    ...steps(draft.after, after),
    ...remarks.slice(0, MOST_REMARKS).map((remark) => `⚠️ ${said(remark)}`),
  ];
}
