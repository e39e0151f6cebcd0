import type { Clock } from '#src/clock.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { OWN, type NamesByOperation, type NotifiedOperation, type Notifier, type WatchedNames } from '#src/clients/operation/notifier.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { takesHints } from '#src/engine/hints.ts';
import { bareName } from '#src/clients/operation/parameters.ts';
import { NO_LISTS, type Lists, type ListSource } from '#src/rules/lists.ts';
import { attemptBind, readsLists } from '#src/rules/people/bind-lists.ts';
import { priorityRank } from '#src/rules/priority.ts';
import { parametersOf } from '#src/rules/people/people.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';

/** Changes within this time are one. */
const MERGE_MS = 1_000;
/** List files and the sources of lists change without an event. */
const LOOK_AGAIN_MS = 60_000;
/** Fields that Fanfare adds. They change only with a list. */
const ADDED_FIELDS = ['account', 'person'];

export interface WatchedNamesOptions {
  readonly account: string;
  /** The client of the account, for example `streaming`. */
  readonly client: string;
  readonly about: Pick<Notifier, 'operations'>;
  /** The running rules. */
  readonly rules: () => readonly Rule[];
  readonly lists?: ListSource | undefined;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  readonly clock: Clock;
}

/** The names that running rules watch through an account. It listens to changes until its disposal. */
export function createWatchedNames(options: WatchedNamesOptions): WatchedNames & Disposable {
  const { account, about, rules, lists, eventBus, clock } = options;
  let changes = 0;
  let seen = 0;
  let wake: (() => void) | undefined;
  const unsubscribe = eventBus.subscribe(({ kind }) => {
    if (kind !== 'rules' && kind !== 'lists') return;
    changes++;
    wake?.();
  });

  /** The names of the rules about each operation that `select` keeps. */
  async function namesOfRules(select: (rule: Rule, operation: NotifiedOperation) => boolean): Promise<NamesByOperation> {
    const watching = about.operations.map((operation) => ({
      operation,
      // A platform that does not notify about all names notifies about the first ones.
      hinted: rules()
        .filter((rule) => isAbout(rule, operation, options) && select(rule, operation))
        .toSorted((a, b) => priorityRank(a) - priorityRank(b)),
    }));
    const needsLists = watching.some(({ hinted }) => hinted.some(readsLists));
    const known = needsLists ? ((await lists?.current()) ?? NO_LISTS) : NO_LISTS;
    const names = watching.map(({ operation, hinted }) => {
      const some = new Set(hinted.flatMap((rule) => namesIn(rule, operation, { account, lists: known })));
      return [operation.operation, [...some]] as const;
    });
    return new Map(names.filter(([, some]) => some.length > 0));
  }

  return {
    current() {
      seen = changes;
      return namesOfRules(() => true);
    },

    readingChanges: () => namesOfRules(({ watched }, { lastingFields }) => !watched || !readsOnly(watched, lastingFields)),

    async changed(signal) {
      if (changes === seen) {
        const woken = new AbortController();
        wake = () => woken.abort();
        await clock.sleep(LOOK_AGAIN_MS, AbortSignal.any([signal, woken.signal])).catch(() => signal.throwIfAborted());
        wake = undefined;
      }
      if (changes !== seen) await clock.sleep(MERGE_MS, signal);
    },

    [Symbol.dispose]: unsubscribe,
  };
}

function isAbout(rule: Rule, { operation }: NotifiedOperation, { account, client }: WatchedNamesOptions): boolean {
  const { watched } = rule;
  return watched?.verb === `${client}.${operation}` && watched.accounts.includes(account) && takesHints(rule);
}

/** Whether a rule reads no other fields of items than these, as far as they decide about its changes. */
export function readsOnly({ decidingFields }: Watched, fields: readonly string[] = []): boolean {
  return decidingFields?.every((field) => ADDED_FIELDS.includes(field) || fields.includes(field)) === true;
}

function namesIn(
  rule: Rule,
  operation: NotifiedOperation,
  { account, lists }: { readonly account: string; readonly lists: Lists },
): readonly string[] {
  const bound = attemptBind(rule, lists);
  return ('failure' in bound || !bound.watched ? undefined : namesOf(bound.watched, operation, account)) ?? [];
}

/**
 * The names of a query through an account, as the rule writes them; `OWN` for a query about the account itself. Undefined: it has none, for example one
 * for the streams of a game, so no platform notifies about it.
 */
export function namesOf(
  watched: Watched,
  { parameter, hasOwn = false }: NotifiedOperation,
  account: string,
): readonly string[] | undefined {
  if (parameter === undefined) return [OWN];
  const value = parametersOf(watched, account)[parameter];
  if (value === undefined) return hasOwn ? [OWN] : undefined;
  return textsOf(value);
}

function textsOf(value: Json): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => (typeof one === 'string' ? [bareName(one)] : []));
}
