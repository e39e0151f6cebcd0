import { z } from 'zod';
import type { World } from '../../world/world.ts';
import type { Token, Tokens } from '../access.ts';
import type { Conduits } from './conduits.ts';
import { type EventSubAnswer, EventSubRefusal, type EventSubRequest, pageOf, readForm, requiredParameter } from './request.ts';
import type { Sessions } from './sessions.ts';
import { receiverOf, STATUSES, type Subscription, toSubscriptionWire, type Transport } from './subscription.ts';
import { type Condition, SUBSCRIPTION_TYPES } from './topic.ts';
import { ownerOf, type Subscriptions } from './subscriptions.ts';
import { isAllowedReceiver } from '../../notifications/send-to.ts';

/** Subscriptions with the same type, version and condition. */
const MOST_EQUAL = 3;
/** The connections with subscriptions of a user. */
const MOST_CONNECTIONS = 3;
/** The subscriptions of a connection. */
const MOST_ON_CONNECTION = 300;

/** The limits of Twitch, which tests lower. */
export interface EventSubLimits {
  /** The highest total cost of the webhooks and conduits of an app. */
  readonly maxTotalCost: number;
  /** The highest total cost of the WebSockets of a user. */
  readonly maxUserCost: number;
  /** The number of conduits of an app. */
  readonly maxConduits: number;
}

const secret = z.string().regex(/^[\u0020-\u007e]{10,100}$/u);

const CreateForm = z.object({
  type: z.string().min(1),
  version: z.string().min(1),
  condition: z.record(z.string(), z.unknown()),
  transport: z.discriminatedUnion('method', [
    z.object({ method: z.literal('webhook'), callback: z.string().min(1), secret }),
    z.object({ method: z.literal('websocket'), session_id: z.string().min(1) }),
    z.object({ method: z.literal('conduit'), conduit_id: z.string().min(1) }),
  ]),
});
type CreateForm = z.output<typeof CreateForm>;

/** What the endpoints of subscriptions use. */
export interface SubscriptionEndpoints {
  readonly subscriptions: Subscriptions;
  readonly conduits: Conduits;
  readonly sessions: Sessions;
  readonly world: Pick<World, 'findPerson'>;
  readonly tokens: Tokens;
  readonly limits: () => EventSubLimits;
  /** Called after a subscription was created: a webhook needs a challenge. */
  readonly created: (subscription: Subscription) => void;
  /** Called after a subscription was deleted. */
  readonly deleted: () => void;
}

/** `POST /eventsub/subscriptions` */
export function createSubscription(endpoints: SubscriptionEndpoints, { token, body }: EventSubRequest): EventSubAnswer {
  const form = readForm(CreateForm, body);
  const isOfUser = form.transport.method === 'websocket';
  if (isOfUser !== (token.userId !== undefined)) throw new EventSubRefusal(400, 'invalid transport and auth combination');
  const condition = conditionOf(form, token, endpoints);
  const transport = transportOf(form, token, endpoints);
  checkEqual(endpoints, token, { type: form.type, condition, transport });

  const { subscriptions, limits } = endpoints;
  const owner = ownerOf(token);
  const cost = costOf(form.type, condition, endpoints);
  const { maxTotalCost, maxUserCost } = limits();
  if (subscriptions.totals(owner).totalCost + cost > (isOfUser ? maxUserCost : maxTotalCost))
    throw new EventSubRefusal(429, 'cost exceeded');

  const subscription = subscriptions.create({
    clientId: token.clientId,
    userId: token.userId,
    type: form.type,
    version: form.version,
    condition: { ...condition },
    transport,
    status: transport.method === 'webhook' ? 'webhook_callback_verification_pending' : 'enabled',
    cost,
  });
  endpoints.created(subscription);
  return { status: 202, body: { data: [toSubscriptionWire(subscription)], ...totalsOf(endpoints, token) } };
}

/** `GET /eventsub/subscriptions` */
export function listSubscriptions(endpoints: SubscriptionEndpoints, request: EventSubRequest): EventSubAnswer {
  const { query, token } = request;
  const filters = ['status', 'type', 'user_id', 'subscription_id', 'conduit_id'].filter((name) => query.has(name));
  if (filters.length > 1) throw new EventSubRefusal(400, 'You may specify only one filter query parameter');
  const [filter] = filters;
  const value = filter === undefined ? '' : requiredParameter(query, filter);
  if (filter === 'status' && !STATUSES.some((status) => status === value))
    throw new EventSubRefusal(400, 'The parameter "status" was malformed');
  const matching = endpoints.subscriptions.ofOwner(ownerOf(token)).filter((one) => filter === undefined || hasValue(one, filter, value));
  const { data, pagination } = pageOf(matching, request);
  return { status: 200, body: { ...totalsOf(endpoints, token), data: data.map(toSubscriptionWire), pagination } };
}

/** `DELETE /eventsub/subscriptions` */
export function deleteSubscription({ subscriptions, deleted }: SubscriptionEndpoints, { query, token }: EventSubRequest): EventSubAnswer {
  const subscription = subscriptions.find(requiredParameter(query, 'id'));
  if (!subscription || ownerOf(subscription) !== ownerOf(token)) throw new EventSubRefusal(404, 'subscription not found');
  subscriptions.delete(subscription.id);
  deleted();
  return { status: 204 };
}

function conditionOf({ type, version, condition }: CreateForm, token: Token, { world, conduits }: SubscriptionEndpoints): Condition {
  const supported = SUBSCRIPTION_TYPES.get(type);
  if (supported?.version !== version) throw new EventSubRefusal(400, 'invalid subscription type and version');
  const { data } = supported.condition.safeParse(condition);
  const ids = data ? supported.broadcasters(data) : [];
  if (!data || !ids.every((id) => world.findPerson(id)?.id === id)) throw new EventSubRefusal(400, 'invalid condition');
  const { client_id: clientId = token.clientId, conduit_id: conduitId } = data;
  const isOwner = conduitId === undefined || conduits.find(conduitId)?.clientId === token.clientId;
  if (clientId !== token.clientId || !isOwner) throw new EventSubRefusal(403, 'subscription missing proper authorization');
  return data;
}

function transportOf({ transport }: CreateForm, token: Token, { conduits, sessions, subscriptions }: SubscriptionEndpoints): Transport {
  switch (transport.method) {
    case 'webhook': {
      const { callback } = transport;
      if (!isAllowedReceiver(callback))
        throw new EventSubRefusal(400, 'The callback must be an address of this machine, because this Twitch is simulated');
      return { method: 'webhook', callback, secret: transport.secret };
    }
    case 'conduit': {
      const conduit = conduits.find(transport.conduit_id);
      if (conduit?.clientId !== token.clientId) throw new EventSubRefusal(404, 'conduit not found');
      return { method: 'conduit', conduitId: conduit.id };
    }
    case 'websocket': {
      const session = sessions.find(transport.session_id);
      if (!session) throw new EventSubRefusal(400, 'websocket transport session does not exist or has already disconnected');
      const onSession = enabled(subscriptions.ofReceiver(`websocket ${session.id}`));
      if (onSession.some(({ userId }) => userId !== token.userId))
        throw new EventSubRefusal(400, 'websocket transport cannot have subscriptions created by different users');
      if (onSession.length >= MOST_ON_CONNECTION) throw new EventSubRefusal(429, 'number of websocket subscriptions limit exceeded');
      const used = new Set(enabled(subscriptions.ofOwner(ownerOf(token))).map((one) => receiverOf(one.transport)));
      if (onSession.length === 0 && used.size >= MOST_CONNECTIONS)
        throw new EventSubRefusal(429, 'number of websocket transports limit exceeded');
      return { method: 'websocket', sessionId: session.id, connectedAtMs: session.connectedAtMs };
    }
  }
}

function checkEqual(
  { subscriptions }: SubscriptionEndpoints,
  { clientId }: Token,
  { type, condition, transport }: Pick<Subscription, 'type' | 'condition' | 'transport'>,
): void {
  const equal = subscriptions
    .of(type, condition)
    .filter((one) => one.clientId === clientId && (one.status === 'enabled' || one.status === 'webhook_callback_verification_pending'));
  if (equal.some((one) => receiverOf(one.transport) === receiverOf(transport)))
    throw new EventSubRefusal(409, 'subscription already exists');
  if (equal.length >= MOST_EQUAL) throw new EventSubRefusal(429, 'maximum subscriptions with type and condition exceeded');
}

/** A subscription costs nothing if the broadcaster has authorized the app. */
function costOf(type: string, condition: Condition, { tokens }: SubscriptionEndpoints): number {
  const broadcasters = SUBSCRIPTION_TYPES.get(type)?.broadcasters(condition) ?? [];
  return broadcasters.every((id) => tokens.hasUser(id)) ? 0 : 1;
}

function totalsOf({ subscriptions, limits }: SubscriptionEndpoints, token: Token): object {
  const { total, totalCost } = subscriptions.totals(ownerOf(token));
  const { maxTotalCost, maxUserCost } = limits();
  return { total, total_cost: totalCost, max_total_cost: token.userId === undefined ? maxTotalCost : maxUserCost };
}

function enabled(subscriptions: readonly Subscription[]): readonly Subscription[] {
  return subscriptions.filter(({ status }) => status === 'enabled');
}

function hasValue(subscription: Subscription, filter: string, value: string): boolean {
  const { id, status, type, condition, transport } = subscription;
  switch (filter) {
    case 'status':
      return status === value;
    case 'type':
      return type === value;
    case 'user_id':
      return Object.entries(condition).some(([name, found]) => name.endsWith('user_id') && found === value);
    case 'conduit_id':
      return transport.method === 'conduit' && transport.conduitId === value;
    default:
      return id === value;
  }
}
