import type { Clock } from '#src/clock.ts';
import type { Lists, ListSource } from '#src/rules/lists.ts';
import { attemptBind, readsLists } from '#src/rules/people/bind-lists.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { selectingFields } from '#src/rules/selecting-fields.ts';
import type { Coverage } from './coverage.ts';
import { queriesOf } from './planner/merge-queries.ts';
import { savedRequests } from './planner/planner.ts';
import type { Need } from './planner/query.ts';
import type { NotifiedRules } from './scheduler/rest.ts';
import { namesOf, readsOnly } from './watched-names.ts';

/** How often the lists are read to find changes that have no event. */
const READ_LISTS_MS = 5_000;

type CoveredNames = Pick<Coverage, 'covers' | 'coversChanges' | 'operationOf'>;

export interface NotifiedRulesOptions {
  readonly coverage: CoveredNames & Pick<Coverage, 'revision'>;
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

  // Most slots find the same names and notifications as the last one, and a rule may have thousands of names.
  let answers = newAnswers();

  function newAnswers() {
    const answerIf = (isEmpty: boolean) => memoize((rule: Rule) => isCovered(rule, { coverage, isEmpty }));
    return { revision: coverage.revision(), ifEmpty: answerIf(true), ifItems: answerIf(false) };
  }

  function isCoveredNow(rule: Rule, isEmpty: boolean): boolean {
    if (answers.revision !== coverage.revision()) answers = newAnswers();
    return isEmpty ? answers.ifEmpty(rule) : answers.ifItems(rule);
  }

  return {
    refresh() {
      return needsLists && clock.nowMs() - readMs >= READ_LISTS_MS ? readLists() : undefined;
    },

    isNotified(rule, { isEmpty, revision }) {
      if (!readsLists(rule)) return isCoveredNow(rule, isEmpty);
      needsLists = true;
      if (!known || known.revision !== revision) return false;
      const bound = attemptBind(rule, known);
      return !('failure' in bound) && isCoveredNow(bound, isEmpty);
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
 * list is empty, only a new item can be a change, whatever the rule reads, unless the platform leaves out items because of their fields. A rule with
 * lists has their entries.
 */
export function isCovered(
  { watched }: Pick<Rule, 'watched'>,
  { coverage, isEmpty }: { readonly coverage: CoveredNames; readonly isEmpty: boolean },
): boolean {
  if (!watched) return false;
  const onlyPresence = isEmpty && selectingFields(watched).length === 0;
  return watched.accounts.every((account) => {
    const found = notifiedNames(watched, { account, coverage });
    return found !== undefined && (onlyPresence || found.hasAllFields) && found.names.every(found.isNotified);
  });
}

/** The names of a query about whose operation a platform notifies. */
interface NotifiedNames {
  readonly names: readonly string[];
  readonly isNotified: (name: string) => boolean;
  /** Whether the platform notifies about all fields that decide about the changes of the rule. */
  readonly hasAllFields: boolean;
}

/** The names of a query through an account; undefined: it has none, or its platform does not notify about the operation now. */
export function notifiedNames(
  watched: Watched,
  { account, coverage }: { readonly account: string; readonly coverage: CoveredNames },
): NotifiedNames | undefined {
  const { verb } = watched;
  const operation = coverage.operationOf({ account, verb });
  if (!operation) return undefined;
  const names = namesOf(watched, operation, account);
  if (!names) return undefined;
  const coversChanges = (): boolean => names.every((name) => coverage.coversChanges({ account, verb, name }));
  return {
    names,
    isNotified: (name) => coverage.covers({ account, verb, name }),
    hasAllFields: readsOnly(watched, operation.lastingFields) || (readsOnly(watched, operation.fields) && coversChanges()),
  };
}
