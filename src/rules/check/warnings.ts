import type { Path } from '../document/report.ts';
import type { RuleDraft } from '../grammar/rule-file.ts';
import type { Schedule, Watched } from '../rule.ts';
import type { Desk } from './desk.ts';

/** Warns of plain text that ends at " #", which few expect of a title such as "Top #1". */
export function warnOfComment(path: Path, { document, report }: Desk): void {
  if (!document.endsAtComment(path)) return;
  const hint = 'put quotes around the text, or the comment above it';
  report.warning(document.spot(path), 'the text ends before " #": the rest of the line is a comment', hint);
}

/** Warns of what can run and will hardly do what was meant. */
export function warn(
  {
    draft,
    schedule,
    watched,
  }: { readonly draft: RuleDraft; readonly schedule: Schedule | undefined; readonly watched: Watched | undefined },
  { document, report }: Desk,
): void {
  if (!watched) return;
  const { graceMs, settleMs, take } = watched;
  if (schedule && 'everyMs' in schedule && graceMs > 0 && graceMs < 2 * schedule.everyMs) {
    report.warning(
      document.spot(['when', 'grace']),
      'grace is shorter than two polls: one poll that misses the item may end it',
      'make grace twice every, or more',
    );
  }
  if (take !== undefined && settleMs === 0 && draft.cooldown === undefined) {
    report.warning(
      document.keySpot(['when'], 'take'),
      'take has neither settle nor cooldown: who stands on the border is announced again and again',
      'add settle: 10m to when, or cooldown: 6h to the rule',
    );
  }
}
