import type { Rule } from '../client/records.ts';

/** The problems of a file that a list shows. */
const MOST_PROBLEMS = 2;

/** A rule as a list shows it. */
export interface ListedRule {
  readonly rule: Rule;
  /** The errors and warnings that are left out. */
  readonly moreProblems: number;
}

/** A rule without the values that lists do not show: a page has a hundred rules. */
export function listedRule({ lastFailure: _failure, values: _values, lastDecision, diagnostics, ...rule }: Rule): ListedRule {
  const shown = diagnostics.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error')).slice(0, MOST_PROBLEMS);
  return {
    rule: {
      ...rule,
      lastDecision: lastDecision && {
        rule: lastDecision.rule,
        at: lastDecision.at,
        outcome: lastDecision.outcome,
        message: lastDecision.message,
        reason: lastDecision.reason,
        stop: lastDecision.stop,
      },
      diagnostics: shown.map((one) => ({ ...one, excerpt: '' })),
    },
    moreProblems: diagnostics.length - shown.length,
  };
}
