import type { ConversationPoints } from '#src/clients/assistant/conversation-state.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { DeliveryLog, Origin } from '#src/engine/delivery/delivery-log.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import type { Rule } from '#src/rules/rule.ts';
import { shownDelivery } from './deliveries.ts';
import type { MessageOrigin, MessageExplanation } from './records.ts';

/** The number of stored decisions of one outcome. */
const MOST_DECISIONS = 50;
const MOST_EPISODES = 1000;

/** An account that deliveries go through. */
export interface DeliveryAccount {
  readonly account: string;
  readonly platform: string;
  /** The server of a Discord account. */
  readonly server?: string;
  /** The servers to which a Discord account sends beside its own; absent: none. */
  readonly otherServers?: 'any' | readonly string[] | undefined;
}

export interface ExplainMessageOptions {
  readonly accounts: readonly DeliveryAccount[];
  readonly rules: readonly Rule[];
  readonly store: {
    readonly deliveryLog: Pick<DeliveryLog, 'of'>;
    readonly decisions: Pick<DecisionLog, 'list'>;
    readonly episodes: EpisodeLog;
    readonly conversationPoints: Pick<ConversationPoints, 'findMessage'>;
  };
}

/** The deliveries that made and changed a message `channel/message` of a server, with their decisions. */
export async function explainMessage(
  { message, server }: { readonly message: string; readonly server: string | undefined },
  { accounts, rules, store }: ExplainMessageOptions,
): Promise<MessageExplanation> {
  const isOther = ({ platform, server: own, otherServers = [] }: DeliveryAccount): boolean =>
    platform !== 'discord' || (own !== server && otherServers !== 'any' && !otherServers.some((other) => other === server));
  const others = new Set(accounts.filter(isOther).map(({ account }) => account));
  // A removed account counts: the current one may have had its name.
  const found = (await store.deliveryLog.of(message)).filter(({ delivery }) => !others.has(delivery.account));
  const [first, last] = [found[0], found.at(-1)];
  const origins = await Promise.all(
    // Readers show the details of the first and the last origin only.
    found.map(async (origin) =>
      origin === first || origin === last ? withDecision(origin, rules, store) : withoutDecision(origin, rules),
    ),
  );
  const isAnswer = found.length === 0 && (await store.conversationPoints.findMessage(message.split('/')[1] ?? '')) !== undefined;
  return { origins, isAnswer };
}

function withoutDecision({ delivery, ...origin }: Origin, rules: readonly Rule[]): MessageOrigin {
  return { ...origin, delivery: shownDelivery(delivery, rules) };
}

async function withDecision(origin: Origin, rules: readonly Rule[], store: ExplainMessageOptions['store']): Promise<MessageOrigin> {
  const { delivery } = origin;
  const startedMs = await startOf(delivery, store);
  return {
    ...withoutDecision(origin, rules),
    decision: await decisionOf(delivery, store),
    startedAt: startedMs === undefined ? undefined : new Date(startedMs),
  };
}

/** The decision behind a delivery, if it is still stored. Steps in `while` without `every` run without a decision, and create nothing. */
async function decisionOf(
  { rule, firing, episode, section, creates }: Delivery,
  { decisions }: Pick<ExplainMessageOptions['store'], 'decisions'>,
): Promise<Decision | undefined> {
  if (section === 'while' && !creates) return undefined;
  const outcome = section === 'finally' ? 'closed' : 'fired';
  const { items } = await decisions.list({ rule, outcome, limit: MOST_DECISIONS });
  return items.find((one) => (outcome === 'closed' ? one.episode === episode : one.details?.['firing'] === firing));
}

/** When the item of an episode began, for example its stream. */
async function startOf(
  { rule, episode }: Delivery,
  { episodes }: Pick<ExplainMessageOptions['store'], 'episodes'>,
): Promise<number | undefined> {
  const found = (await episodes.list({ rule, limit: MOST_EPISODES })).find((one) => one.rule === rule && one.id === episode);
  return found?.startedMs;
}
