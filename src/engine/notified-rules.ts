import type { Clock } from '#src/clock.ts';
import type { Lists, ListSource } from '#src/rules/lists.ts';
import { attemptBind, readsLists } from '#src/rules/people/bind-lists.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import type { Coverage } from './coverage.ts';
import { queriesOf } from './planner/merge-queries.ts';
import { savedRequests } from './planner/planner.ts';
import type { Need } from './planner/query.ts';
import type { NotifiedRules } from './scheduler/rest.ts';
import { namesOf, readsOnly } from './watched-names.ts';

/** How often the lists are read to find changes that have no event. */
const READ_LISTS_MS = 5_000;
export interface NotifiedRulesOptions {
  readonly coverage: Pick<Coverage, 'covers' | 'coversChanges' | 'operationOf'>;
  readonly lists?: ListSource | undefined;
  /** Called with the estimated number of requests that slots without a poll save. */
  readonly onSaved?: ((account: string, requests: number) => void) | undefined;
  readonly clock: Clock;
}

/** Creates the view of the coverage that decides whether a rule at rest needs a poll. */
export function createNotifiedRules({ coverage, lists, onSaved, clock }: NotifiedRulesOptions): NotifiedRules {
  let known: Lists | undefined;
  let readMs = -Infinity;
  let needsLists = false;

  async function readLists(): Promise<void> {
    readMs = clock.nowMs();
    needsLists = false;
    // Without its lists, a rule is polled at its slots.
    known = await lists?.current().catch(() => undefined);
  }

  /** The queries of a rule, with the lists as last read. */
  function needsOf(rule: Rule): readonly Need[] {
    const bound = known && readsLists(rule) ? attemptBind(rule, known) : rule;
    return 'failure' in bound ? [] : queriesOf(bound);
  }

  return {
    refresh() {
      return needsLists && clock.nowMs() - readMs >= READ_LISTS_MS ? readLists() : undefined;
    },

    isNotified(rule, { isEmpty, revision }) {
      if (!readsLists(rule)) return isCovered(rule, { coverage, isEmpty });
      needsLists = true;
      if (!known || known.revision !== revision) return false;
      const bound = attemptBind(rule, known);
      return !('failure' in bound) && isCovered(bound, { coverage, isEmpty });
    },

    passedOver(rested, due) {
      if (!onSaved || rested.length === 0) return;
      const needs = due.flatMap(needsOf);
      for (const [account, requests] of savedRequests([...needs, ...rested.flatMap(needsOf)], needs)) onSaved(account, requests);
    },
  };
}

/**
 * Whether platforms notify about each name of a rule and about all fields that decide, so that it needs no poll without a notification. While its
 * list is empty, only a new item can be a change, whatever the rule reads. A rule with lists has their entries.
 */
export function isCovered(
  { watched }: Pick<Rule, 'watched'>,
  { coverage, isEmpty }: { readonly coverage: NotifiedRulesOptions['coverage']; readonly isEmpty: boolean },
): boolean {
  if (!watched) return false;
  return watched.accounts.every((account) => {
    const found = notifiedNames(watched, { account, coverage });
    return found !== undefined && (isEmpty || found.hasAllFields) && found.names.every(found.isNotified);
  });
}

/** The names of a query about whose operation a platform notifies. */
interface NotifiedNames {
  readonly names: readonly string[];
  readonly isNotified: (name: string) => boolean;
  /** Whether the platform notifies about all fields that decide about the changes of the rule. */
  readonly hasAllFields: boolean;
}

/** The names of a query through an account; undefined: its platform does not notify about the operation now. */
export function notifiedNames(
  watched: Watched,
  { account, coverage }: { readonly account: string; readonly coverage: NotifiedRulesOptions['coverage'] },
): NotifiedNames | undefined {
  const { verb } = watched;
  const operation = coverage.operationOf({ account, verb });
  if (!operation) return undefined;
  const names = namesOf(watched, operation, account);
  const coversChanges = (): boolean => names.every((name) => coverage.coversChanges({ account, verb, name }));
  return {
    names,
    isNotified: (name) => coverage.covers({ account, verb, name }),
    hasAllFields: readsOnly(watched, operation.lastingFields) || (readsOnly(watched, operation.fields) && coversChanges()),
  };
}
