import { isJsonObject } from '#src/clients/operation/json.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import { createNotifiedRules } from '#src/engine/notified-rules.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { silentLog } from '#src/log.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Item } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { cardRule, MINUTE, START_MS, type RuleOptions } from '../../rules/evaluate/fixture.ts';
import { IN_MEMORY, ManualClock } from '../../support/manual-clock.ts';
import { memoryStates } from '../../support/memory-states.ts';

const FIELDS = ['id', 'owner', 'title'];
const NOTIFIED = [{ operation: 'getStreams', parameter: 'users', fields: FIELDS, lastingFields: ['id', 'owner'] }];

/** A rule about two channels that a platform notifies about. */
export function rule({ watched, ...options }: RuleOptions = {}): Rule {
  return cardRule({
    while: [],
    finally: [],
    ...options,
    watched: { with: { users: ['ada', 'Grace'] }, decidingFields: [], graceMs: 3 * MINUTE, confirm: { new: 1, gone: 1 }, ...watched },
  });
}

export interface Setting {
  readonly rule: Rule;
  readonly others?: readonly Rule[];
  /** The list at a minute. */
  readonly shown?: (atMs: number) => readonly Item[] | undefined;
  readonly names?: readonly string[];
  readonly isNotified?: boolean;
  /** The names about whose new and missing streams only the platform notifies. */
  readonly presenceOnly?: readonly string[];
}

/** A scheduler with the notifications of a platform. `polls` has the minutes of the polls. */
export async function start({
  rule: watching,
  others = [],
  shown = () => [],
  names = ['ada', 'grace'],
  isNotified = true,
  presenceOnly = [],
}: Setting) {
  const clock = new ManualClock(START_MS, IN_MEMORY);
  const states = memoryStates();
  const coverage = createCoverage();
  const cover = (some: readonly string[]) =>
    coverage.set({
      account: 'twitch',
      client: 'streaming',
      operations: NOTIFIED,
      names: new Map([['getStreams', some]]),
      presenceOnly: new Map([['getStreams', presenceOnly]]),
    });
  cover(names);
  const polls: number[] = [];
  const saved: (readonly [account: string, requests: number])[] = [];
  const asked: { readonly at: number; readonly names: readonly string[] | undefined }[] = [];
  const scheduler = await createScheduler({
    rules: [watching, ...others],
    states,
    read: async (due, onPoll) => {
      polls.push((clock.nowMs() - START_MS) / MINUTE);
      const items = shown(clock.nowMs());
      for (const { rule: one, asked: some } of due) {
        const names = some?.['twitch'];
        asked.push({ at: (clock.nowMs() - START_MS) / MINUTE, names });
        const found = items?.filter(({ owner }) => !names || (isJsonObject(owner) && names.some((name) => name === owner['handle'])));
        await onPoll(one.id, found ? { items: found, complete: true } : { failure: 'the platform is down' });
      }
    },
    advance,
    notified: isNotified ? createNotifiedRules({ coverage, onSaved: (...one) => void saved.push(one), clock }) : undefined,
    onCommit: () => undefined,
    clock,
    log: silentLog,
  });
  return {
    scheduler,
    clock,
    coverage,
    cover,
    polls,
    saved,
    asked,
    commits: states.commits,
    /** Ticks four times a minute. */
    until: async (minutes: number): Promise<void> => {
      while (clock.nowMs() < START_MS + minutes * MINUTE) {
        await scheduler.tick();
        await clock.advance(15_000);
      }
    },
  };
}
