import type { Log } from '#src/log.ts';
import type { EventSubNotification } from './read-message.ts';
import type { Subscriptions } from './subscriptions.ts';

/** The ids of recent notifications, which Twitch can repeat. */
const RECENT = 1_000;

/** Why a notification has no effect: `repeated`, or `foreign` if it is not about a subscription of this installation. */
type Refusal = 'repeated' | 'foreign';

/** What belongs to this installation. */
interface Expected {
  readonly conduitId: string | undefined;
  /** Absent: another process keeps the subscriptions. */
  readonly subscriptions: Pick<Subscriptions, 'isForeign'> | undefined;
}

/** Creates a check of notifications. It logs the first foreign one of a connection. */
export function createRefusals({
  log,
}: {
  readonly log?: Log | undefined;
}): (notification: EventSubNotification, expected: Expected) => Refusal | undefined {
  const recent = new Set<string>();
  let isLogged = false;

  function isRepeated(id: string): boolean {
    if (recent.has(id)) return true;
    recent.add(id);
    const [oldest] = recent;
    if (recent.size > RECENT && oldest !== undefined) recent.delete(oldest);
    return false;
  }

  return ({ id, type, conduitId, subscriptionId, shard }, expected) => {
    if (isRepeated(id)) return 'repeated';
    const isOfOther = conduitId !== undefined && expected.conduitId !== undefined && conduitId !== expected.conduitId;
    if (!isOfOther && (shard || expected.subscriptions?.isForeign(subscriptionId) !== true)) return undefined;
    if (!isLogged)
      log?.warn({ type }, 'a notification of Twitch is not about a subscription of this installation; such notifications have no effect');
    isLogged = true;
    return 'foreign';
  };
}
