import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { DeliveryLog } from '#src/engine/delivery/delivery-log.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';

/** The stored data of rules: messages and other effects on platforms, and stored values. */
export interface PlatformState {
  readonly episodes: EpisodeLog;
  readonly deliveryLog: Pick<DeliveryLog, 'list'>;
  readonly ruleStates: Pick<RuleStates, 'load'>;
}

/** The largest number of episodes and deliveries that are counted. */
const MOST_COUNTED = 1000;
/** The largest number of cards that the text names. */
const MOST_NAMED = 3;

/** The messages and other effects of a rule that open episodes would still edit or close. */
export interface OpenCards {
  readonly count: number;
  /** The number of open episodes with another effect, for example a role. */
  readonly others: number;
  /** The addresses of some cards. */
  readonly named: readonly string[];
}

const NONE: OpenCards = { count: 0, others: 0, named: [] };

/** Finds the open cards of a rule or of one instance; `steps`: only those that one of these steps sent. */
export async function openCards(
  { id: rule, while: lasting, finally: last }: Rule,
  { episodes, deliveryLog }: PlatformState,
  steps?: readonly string[],
): Promise<OpenCards> {
  // Without `while` and `finally`, the rule never edits or closes a card.
  if (lasting.length + last.length === 0) return NONE;
  const open = await episodes.list({ rule, sinceMs: Number.MAX_SAFE_INTEGER, limit: MOST_COUNTED });
  const announced = new Map(open.filter((episode) => episode.rule === rule && episode.announced).map(({ id, key }) => [id, key]));
  if (announced.size === 0) return NONE;
  const { items } = await deliveryLog.list({ rule, state: 'sent', limit: MOST_COUNTED });
  const cards = new Map(
    items
      .filter(({ creates, section, step }) => creates && section === 'then' && steps?.includes(step) !== false)
      .map(({ episode, result }) => [episode, result]),
  );
  const standing = [...announced].filter(([id]) => cards.has(id));
  const others = last.length > 0 ? announced.size - standing.length : 0;
  return { count: standing.length, others, named: standing.slice(0, MOST_NAMED).map(([id, key]) => placeOf(cards.get(id)) ?? key) };
}

/** The sum of the open cards of several instances. */
export function mergeOpenCards(all: readonly OpenCards[]): OpenCards {
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    others: all.reduce((sum, { others }) => sum + others, 0),
    named: all.flatMap(({ named }) => named).slice(0, MOST_NAMED),
  };
}

/** `2 open cards: …` */
export function cardsText({ count, named }: OpenCards): string {
  const rest = count > named.length ? ', …' : '';
  return `${count} open ${count === 1 ? 'card' : 'cards'}${named.length > 0 ? `: ${named.join(', ')}${rest}` : ''}`;
}

function placeOf(result: Json | undefined): string | undefined {
  if (!isJsonObject(result)) return undefined;
  const { url, id } = result;
  return typeof url === 'string' ? url : typeof id === 'string' ? id : undefined;
}
