import type { Clock } from '#src/clock.ts';
import type { Notifier, WatchedNames } from '#src/clients/operation/notifier.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { takesHints } from '#src/engine/hints.ts';
import { NO_LISTS, type ListSource } from '#src/rules/lists.ts';
import { namesIn, unionOf } from '#src/rules/named-users.ts';
import { attemptBind, readsLists } from '#src/rules/people/bind-lists.ts';
import { parametersOf } from '#src/rules/people/people.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Changes within this time are one. */
const MERGE_MS = 1_000;
/** List files and the sources of lists change without an event. */
const LOOK_AGAIN_MS = 60_000;

export interface WatchedNamesOptions {
  readonly account: string;
  readonly about: Pick<Notifier, 'operation'>;
  /** The running rules. */
  readonly rules: () => readonly Rule[];
  readonly lists?: ListSource | undefined;
  readonly eventBus: Pick<EventBus, 'subscribe'>;
  readonly clock: Clock;
}

/** The names that running rules watch through an account. It listens to changes until its disposal. */
export function createWatchedNames(options: WatchedNamesOptions): WatchedNames & Disposable {
  const { rules, lists, eventBus, clock } = options;
  let changes = 0;
  let seen = 0;
  let wake: (() => void) | undefined;
  const unsubscribe = eventBus.subscribe(({ kind }) => {
    if (kind !== 'rules' && kind !== 'lists') return;
    changes++;
    wake?.();
  });

  return {
    async current() {
      seen = changes;
      const hinted = rules().filter((rule) => isAbout(rule, options));
      const known = hinted.some(readsLists) ? ((await lists?.current()) ?? NO_LISTS) : NO_LISTS;
      return [...new Set(hinted.flatMap((rule) => namesOf(rule, known, options)))];
    },

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

function isAbout(rule: Rule, { account, about }: WatchedNamesOptions): boolean {
  const { watched } = rule;
  return watched?.verb.split('.')[1] === about.operation && watched.accounts.includes(account) && takesHints(rule);
}

function namesOf(rule: Rule, lists: Parameters<typeof attemptBind>[1], { account }: WatchedNamesOptions): readonly string[] {
  const bound = attemptBind(rule, lists);
  if ('failure' in bound || !bound.watched) return [];
  const query = { verb: bound.watched.verb, params: parametersOf(bound.watched, account) };
  const union = unionOf(query);
  return union ? namesIn(query.params, union) : [];
}
