import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { bareName } from '#src/clients/operation/parameters.ts';
import { joinHints, type Hinted, type HintedRule } from '#src/engine/scheduler/hinted-names.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { takesPartialPolls, usersParameter, watchedNames } from '#src/rules/people/partial-polls.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';

/**
 * A notification that something at a platform may have changed. It is never the truth: it only brings the poll of what it names forward, so a
 * hint that is lost, late, repeated or wrong changes no announcement.
 */
export interface Hint {
  readonly account: string;
  /** The operation whose answer may have changed, for example `discord.getMessages`. */
  readonly verb: string;
  /** The values of a parameter that name what changed, in lower case. Absent: each query of the operation may have another answer. */
  readonly named?:
    | {
        readonly parameter: string;
        readonly values: readonly string[];
        /** Whether queries without the parameter have other answers. Otherwise, they include what changed. */
        readonly isRequired?: boolean | undefined;
      }
    | undefined;
}

/** Hints within this time are handled together. */
const MERGE_MS = 200;
/** The pause after a failure. */
const RETRY_MS = 1_000;

export interface HintsOptions {
  /** The running rules. A reload returns another array. */
  readonly rules: () => readonly Rule[];
  readonly scheduler: Pick<Scheduler, 'hurry'>;
  /** Called with the account of each hint that brings polls forward. */
  readonly onHint?: ((account: string) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Returns the receiver of hints. A hint about something that no rule watches costs a look-up. */
export function createHints({ rules, scheduler, onHint = () => undefined, clock, log, signal }: HintsOptions): (hint: Hint) => void {
  let indexed: readonly Rule[] | undefined;
  let byQuery: ReadonlyMap<string, readonly Rule[]> = new Map();
  /** The rules to poll, and what the hints are about. */
  let waiting = new Map<string, Hinted>();
  let isFailing = false;

  function rulesOf(hint: Hint): readonly HintedRule[] {
    const running = rules();
    if (running !== indexed) {
      indexed = running;
      byQuery = indexByQuery(running);
    }
    return (byQuery.get(queryKey(hint)) ?? []).flatMap((rule) => hintedRule(rule, hint) ?? []);
  }

  async function hurryTogether(afterMs: number): Promise<void> {
    try {
      await clock.sleep(afterMs, signal);
    } catch {
      return;
    }
    const some = [...waiting].map(([rule, hinted]): HintedRule => ({ rule, ...hinted }));
    waiting = new Map();
    try {
      await scheduler.hurry(some);
      isFailing = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!isFailing) log.warn({ error }, 'polls could not be brought forward; Fanfare tries again');
      isFailing = true;
      add(some, RETRY_MS);
    }
  }

  /** Adds rules to those that wait; true if none waited. */
  function add(some: readonly HintedRule[], afterMs: number): boolean {
    const isFirst = waiting.size === 0;
    for (const { rule, ...hinted } of some) waiting.set(rule, joinHints(waiting.get(rule), hinted));
    if (isFirst) void hurryTogether(afterMs);
    return isFirst;
  }

  return (hint) => {
    const found = rulesOf(hint);
    if (found.length === 0) return;
    onHint(hint.account);
    if (add(found, MERGE_MS)) log.debug({ ...hint, rules: found.length }, 'a platform notified about a change');
  };
}

function indexByQuery(rules: readonly Rule[]): Map<string, readonly Rule[]> {
  const pairs = rules.flatMap((rule) => {
    const { watched } = rule;
    if (!watched || !takesHints(rule)) return [];
    return watched.accounts.map((account) => [queryKey({ account, verb: watched.verb }), rule] as const);
  });
  return new Map(
    Map.groupBy(pairs, ([key]) => key)
      .entries()
      .map(([key, some]) => [key, some.map(([, rule]) => rule)]),
  );
}

/** Whether hints bring the polls of a rule forward. A rule with a calendar, or one that fires at each slot, polls at its times only. */
export function takesHints({ watched, schedule }: Rule): boolean {
  return watched !== undefined && 'everyMs' in schedule && watched.per !== 'slot';
}

function queryKey({ account, verb }: Pick<Hint, 'account' | 'verb'>): string {
  return `${verb} ${account}`;
}

/** The poll of a rule that a hint brings forward; undefined: the hint is about nothing that the rule watches. */
function hintedRule(rule: Rule, { account, named }: Hint): HintedRule | undefined {
  const { id, watched } = rule;
  const whole: HintedRule = { rule: id, accounts: [account] };
  if (!watched) return undefined;
  if (!named) return whole;
  const watchedUsers = takesPartialPolls(rule) && named.parameter === usersParameter(watched) ? watchedNames(rule) : undefined;
  if (watchedUsers) {
    const values = new Set(named.values.map((value) => bareName(value).toLowerCase()));
    const names = [...values].filter((name) => watchedUsers.has(name));
    return names.length === 0 ? undefined : { ...whole, names };
  }
  return isNamed(watched, named) ? whole : undefined;
}

function isNamed(watched: Watched, named: NonNullable<Hint['named']>): boolean {
  // The names of a list are known at its poll only.
  if (watched.withOf || watched.people) return true;
  const values = textsOf(watched).get(named.parameter);
  return values ? named.values.some((one) => values.has(one)) : named.isRequired !== true;
}

/** The texts of each parameter of a query, in lower case. */
const textsOf = memoize(({ with: params }: Watched): ReadonlyMap<string, ReadonlySet<string>> => {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return new Map(
    given.map(([parameter, value]) => {
      const values = Array.isArray(value) ? value : [value];
      return [parameter, new Set(values.flatMap((one) => (typeof one === 'string' ? [one.toLowerCase()] : [])))] as const;
    }),
  );
});
