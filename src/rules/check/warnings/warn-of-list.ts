import type { RuleDraft } from '../../grammar/rule-file.ts';
import type { Schedule, Watched } from '../../rule.ts';
import type { Desk } from '../desk.ts';

export interface ListOptions {
  readonly draft: RuleDraft;
  readonly schedule: Schedule | undefined;
  readonly watched: Watched;
  /** Whether the operation answers in pages. */
  readonly isPaged: boolean;
}

/** Warns of what can watch a list and will hardly do what was meant. */
export function warnOfList({ draft, schedule, watched, isPaged }: ListOptions, { document, report }: Desk): void {
  const { graceMs, settleMs, take, kind, changes, per } = watched;
  const has = (...kinds: readonly string[]): boolean => changes.some((change) => kinds.includes(change.kind));
  if (schedule && 'everyMs' in schedule && graceMs > 0 && graceMs < 2 * schedule.everyMs) {
    report.warning(
      document.spot(['when', 'grace']),
      'grace is shorter than two polls: one poll that misses the item may end it',
      'make grace twice every, or more',
    );
  }
  const isRestless = take !== undefined && settleMs === 0 && draft.cooldown === undefined;
  if (isRestless && per !== 'slot' && kind !== 'feed' && has('entered', 'left')) {
    report.warning(
      document.keySpot(['when'], 'take'),
      'take has neither settle nor cooldown: who stands on the border is announced again and again',
      'add settle: 10m to when, or cooldown: 6h to the rule',
    );
  }
  if (per === 'item' && has('moved')) {
    report.warning(
      document.spot(['when', 'changes']),
      'moved fires for each item: who overtakes one moves two',
      'add per: poll to say all of a poll at once',
    );
  }
  if (kind === 'set' && isPaged && watched.with['pages'] !== 'all') {
    report.warning(
      document.keySpot(['when'], 'watch'),
      'where pages are left unread, nobody is gone: who is missing may stand behind them',
      'add pages: all to with',
    );
  }
}
