import type { Clock } from '#src/clock.ts';
import { isFault } from '#src/http/errors.ts';
import type { UserNames } from '../operations/users.ts';
import type { ShownStreams } from '../shown-streams.ts';
import type { EventSubNotification } from './read-message.ts';
import { createRepeatedHints } from './repeated-hints.ts';

/** Helix may show a change from before a gap this much later. */
const AFTER_GAP_MS = 120_000;

interface ChannelHintsOptions {
  readonly users: Pick<UserNames, 'idOf'>;
  readonly shown: ShownStreams;
  /** Called with the names whose channels may have changed; without names, with all. */
  readonly onChange: (names?: readonly string[]) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Hints about the watched channels. */
export interface ChannelHints {
  /** Looks up the channels of the watched names. Names that Twitch does not know are only polled. */
  watch(names: readonly string[], signal: AbortSignal): Promise<void>;
  /** The watched names by the id of their channel. */
  readonly namesById: ReadonlyMap<string, readonly string[]>;
  /** The watched names without a channel: misspelled, renamed or banned. */
  readonly unknown: readonly string[];
  /** Gives a hint about channels that changed, if a rule watches them, and repeats it until a poll shows the change. */
  changed(notification: EventSubNotification): void;
  /** Gives a hint about channels whose subscriptions are new, and repeats it. */
  mayHaveChanged(channelIds: Iterable<string>): void;
  /** Gives a hint about all channels, because notifications may be lost, and repeats it. */
  missed(): void;
}

/** Creates hints about no channel. */
export function createChannelHints({ users, shown, onChange, clock, signal }: ChannelHintsOptions): ChannelHints {
  let namesById: ReadonlyMap<string, readonly string[]> = new Map();
  let unknown: readonly string[] = [];
  let missedAgain = new AbortController();
  const repeatedly = createRepeatedHints({ hint: (id) => hint([id]), namesOf: (id) => namesById.get(id) ?? [], shown, clock, signal });

  function afterGap(action: () => void, abort: AbortSignal): void {
    clock.sleep(AFTER_GAP_MS, abort).then(action, () => undefined);
  }

  function hint(channelIds: Iterable<string>): void {
    const named = [...channelIds].flatMap((id) => (namesById.has(id) ? [id, ...(namesById.get(id) ?? [])] : []));
    if (named.length > 0) onChange(named);
  }

  async function find(name: string, abort: AbortSignal): Promise<readonly [id: string, name: string] | undefined> {
    try {
      return [await users.idOf(name, abort), name];
    } catch (error) {
      if (isFault(error, 'missing')) return undefined;
      throw error;
    }
  }

  return {
    async watch(names, abort) {
      const found = await Promise.all(names.map((name) => find(name, abort)));
      const known = found.filter((one) => one !== undefined);
      unknown = names.filter((_, index) => found[index] === undefined);
      namesById = new Map(
        Map.groupBy(known, ([id]) => id)
          .entries()
          .map(([id, some]) => [id, some.map(([, name]) => name)]),
      );
    },

    get namesById() {
      return namesById;
    },

    get unknown() {
      return unknown;
    },

    changed(notification) {
      for (const id of notification.channelIds) if (namesById.has(id)) repeatedly(id, notification);
    },

    mayHaveChanged(channelIds) {
      const ids = [...channelIds];
      hint(ids);
      afterGap(() => hint(ids), signal);
    },

    missed() {
      onChange();
      missedAgain.abort();
      missedAgain = new AbortController();
      afterGap(() => onChange(), AbortSignal.any([signal, missedAgain.signal]));
    },
  };
}
