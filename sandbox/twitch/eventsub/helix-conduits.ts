import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Token } from '../access.ts';
import type { Conduit, Conduits, Shard } from './conduits.ts';
import type { EventSubLimits } from './helix-subscriptions.ts';
import {
  type EventSubAnswer,
  EventSubRefusal,
  type EventSubRequest,
  pageOf,
  readForm,
  requireAppToken,
  requiredParameter,
} from './request.ts';
import type { Sessions } from './sessions.ts';
import { receiverOf, type ShardTransport, type Status, toTransportWire } from './subscription.ts';
import { isAllowedReceiver } from '../../notifications/send-to.ts';

const MOST_SHARDS = 20_000;
// Twitch takes the parameters from the body or from the query.
const shardCount = z.coerce.number().int().min(1).max(MOST_SHARDS);

const CreateForm = z.object({ shard_count: shardCount });
const UpdateForm = z.object({ id: z.string().min(1), shard_count: shardCount });
const ShardsForm = z.object({
  conduit_id: z.string().min(1),
  shards: z
    .array(
      z.object({
        id: z.string(),
        transport: z.object({
          method: z.string(),
          session_id: z.string().optional(),
          callback: z.string().optional(),
          secret: z.string().optional(),
        }),
      }),
    )
    .min(1),
});
type WantedShard = z.output<typeof ShardsForm>['shards'][number];

/** What the endpoints of conduits use. */
export interface ConduitEndpoints {
  readonly conduits: Conduits;
  readonly sessions: Sessions;
  readonly limits: () => EventSubLimits;
  /** Called after a conduit was deleted. */
  readonly deleted: (conduit: Conduit) => void;
  /** Called after a shard was bound: a webhook needs a challenge. */
  readonly bound: (shard: Shard) => void;
}

/** `GET /eventsub/conduits` */
export function listConduits({ conduits }: ConduitEndpoints, { token }: EventSubRequest): EventSubAnswer {
  requireAppToken(token);
  return { status: 200, body: { data: conduits.of(token.clientId).map(toWire) } };
}

/** `POST /eventsub/conduits` */
export function createConduit({ conduits, limits }: ConduitEndpoints, { token, query, body }: EventSubRequest): EventSubAnswer {
  requireAppToken(token);
  const form = readForm(CreateForm, withQuery(query, body));
  if (conduits.of(token.clientId).length >= limits().maxConduits) throw new EventSubRefusal(429, 'Conduit limit reached');
  return { status: 200, body: { data: [toWire(conduits.create(token.clientId, form.shard_count))] } };
}

/** `PATCH /eventsub/conduits` */
export function updateConduit({ conduits }: ConduitEndpoints, { token, query, body }: EventSubRequest): EventSubAnswer {
  requireAppToken(token);
  const form = readForm(UpdateForm, withQuery(query, body));
  return { status: 200, body: { data: [toWire(conduits.resize(ownConduit(conduits, token, form.id), form.shard_count))] } };
}

/** `DELETE /eventsub/conduits` */
export function deleteConduit({ conduits, deleted }: ConduitEndpoints, { token, query }: EventSubRequest): EventSubAnswer {
  requireAppToken(token);
  const conduit = ownConduit(conduits, token, requiredParameter(query, 'id'));
  conduits.delete(conduit);
  deleted(conduit);
  return { status: 204 };
}

/** `GET /eventsub/conduits/shards`: the shards that have a transport. */
export function listShards({ conduits }: ConduitEndpoints, request: EventSubRequest): EventSubAnswer {
  const { token, query } = request;
  requireAppToken(token);
  const conduit = ownConduit(conduits, token, requiredParameter(query, 'conduit_id'));
  const status = query.get('status');
  const shards = conduits.shardsOf(conduit.id).filter((shard) => status === null || shard.status === status);
  const { data, pagination } = pageOf(shards, request);
  return { status: 200, body: { data: data.map(toShardWire), pagination } };
}

/** `PATCH /eventsub/conduits/shards`: binds transports. Each wrong shard has an error in the answer, and the others are bound. */
export function updateShards(endpoints: ConduitEndpoints, { token, body }: EventSubRequest): EventSubAnswer {
  requireAppToken(token);
  const form = readForm(ShardsForm, body);
  const conduit = ownConduit(endpoints.conduits, token, form.conduit_id);
  const data: JsonObject[] = [];
  const errors: JsonObject[] = [];
  for (const wanted of form.shards) {
    const shard = shardFrom(wanted, conduit, endpoints);
    if (typeof shard === 'string') errors.push({ id: wanted.id, message: shard, code: 'invalid_parameter' });
    else {
      endpoints.conduits.bind(shard);
      endpoints.bound(shard);
      data.push(toShardWire(shard));
    }
  }
  return { status: 202, body: { data, errors } };
}

/** The shard, or why its transport cannot be bound. */
function shardFrom({ id, transport }: WantedShard, conduit: Conduit, endpoints: ConduitEndpoints): Shard | string {
  const number = /^\d{1,5}$/u.test(id) ? Number(id) : Infinity;
  if (number >= conduit.shardCount) return "The shard id is outside the conduit's range";
  const bound = transportFrom(transport, endpoints);
  if (typeof bound === 'string') return bound;
  const isTaken = endpoints.conduits
    .shardsOfReceiver(receiverOf(bound))
    .some((shard) => bound.method === 'websocket' && (shard.conduitId !== conduit.id || shard.id !== number));
  if (isTaken) return 'The websocket session is already assigned to another shard';
  const status: Status = bound.method === 'webhook' ? 'webhook_callback_verification_pending' : 'enabled';
  return { conduitId: conduit.id, id: number, transport: bound, status };
}

function transportFrom(
  { method, session_id: sessionId = '', callback = '', secret = '' }: WantedShard['transport'],
  { sessions }: ConduitEndpoints,
): ShardTransport | string {
  switch (method) {
    case 'websocket': {
      const session = sessions.find(sessionId);
      if (!session) return 'websocket transport session does not exist or has already disconnected';
      return { method, sessionId, connectedAtMs: session.connectedAtMs };
    }
    case 'webhook':
      if (!isAllowedReceiver(callback)) return 'The callback must be an address of this machine, because this Twitch is simulated';
      if (!/^[\u0020-\u007e]{10,100}$/u.test(secret)) return 'The secret must have 10 to 100 ASCII characters';
      return { method, callback, secret };
    default:
      return 'The transport method must be webhook or websocket';
  }
}

function withQuery(query: URLSearchParams, body: unknown): object {
  return { ...Object.fromEntries(query), ...(typeof body === 'object' ? body : undefined) };
}

function ownConduit(conduits: Conduits, { clientId }: Token, id: string): Conduit {
  const conduit = conduits.of(clientId).find((one) => one.id === id);
  if (!conduit) throw new EventSubRefusal(404, 'Conduit not found');
  return conduit;
}

function toWire({ id, shardCount: count }: Conduit): JsonObject {
  return { id, shard_count: count };
}

function toShardWire({ id, status, transport }: Shard): JsonObject {
  return { id: String(id), status, transport: toTransportWire(transport) };
}
