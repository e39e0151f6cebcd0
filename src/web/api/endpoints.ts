import type { z } from 'zod';
import type { EventKind } from '#src/queries/records.ts';
import type { RecordName } from './answer-schemas.ts';
import { DecisionParams, DeliveryParams, NoParams } from './query.ts';

/** The content of an answer. `Page` has a cursor, `List` is complete. */
export type AnswerContent =
  | { readonly kind: 'record' | 'page'; readonly of: RecordName }
  /** `version`: the record of an optional field beside `items`. */
  | { readonly kind: 'list'; readonly of: RecordName; readonly version?: RecordName }
  | { readonly kind: 'text' | 'events'; readonly type: string }
  | { readonly kind: 'object' | 'empty' };

export interface EndpointAnswer {
  readonly about: string;
  readonly content: AnswerContent;
}

/** An endpoint of the HTTP API. */
export interface Endpoint {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Names the endpoint in generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly about: string;
  readonly params: z.ZodObject;
  /** The answers by status. */
  readonly answers: Readonly<Record<number, EndpointAnswer>>;
  /** Whether the endpoint answers under any host name. */
  readonly isForAnyHost?: boolean;
  /** Headers of the request that the endpoint needs. */
  readonly headers?: Readonly<Record<string, string>>;
}

const WRONG_QUERY: EndpointAnswer = { about: 'A query parameter is wrong.', content: { kind: 'record', of: 'Error' } };
const UNREADABLE: EndpointAnswer = {
  about: 'The platform cannot be read now, or Fanfare is shutting down.',
  content: { kind: 'record', of: 'Error' },
};

/** The record of each event. */
export const EVENTS = {
  delivery: 'Delivery',
  decision: 'Decision',
  live: 'Change',
  posts: 'Change',
  messages: 'Change',
  rules: 'Change',
  accounts: 'Change',
} as const satisfies Readonly<Record<EventKind, RecordName>>;

function list(path: string, of: RecordName, summary: string, about: string, version?: RecordName): Endpoint {
  return {
    method: 'get',
    path,
    id: path.replace(/^\/api\/./u, (start) => `list${start.slice(5).toUpperCase()}`),
    summary,
    about,
    params: NoParams,
    answers: {
      200: { about: 'The complete list.', content: { kind: 'list', of, ...(version && { version }) } },
      400: WRONG_QUERY,
      503: UNREADABLE,
    },
  };
}

/** The endpoints of the HTTP API, in the order of the reference. */
export const ENDPOINTS: readonly Endpoint[] = [
  list(
    '/api/rules',
    'Rule',
    'List rules',
    'All rules and all rule files with errors. With PostgreSQL, `version` is the published version of the rules.',
    'RulesVersion',
  ),
  {
    method: 'get',
    path: '/api/decisions',
    id: 'listDecisions',
    summary: 'List decisions',
    about: 'The decisions of rules with their reasons, newest first. Each answers why something was or was not announced.',
    params: DecisionParams,
    answers: { 200: { about: 'A page of decisions.', content: { kind: 'page', of: 'Decision' } }, 400: WRONG_QUERY },
  },
  {
    method: 'get',
    path: '/api/deliveries',
    id: 'listDeliveries',
    summary: 'List deliveries',
    about: 'The deliveries with their states, newest first.',
    params: DeliveryParams,
    answers: { 200: { about: 'A page of deliveries.', content: { kind: 'page', of: 'Delivery' } }, 400: WRONG_QUERY },
  },
  list('/api/live', 'Stream', 'List live streams', 'The most watched streams of the first streaming account, most watched first.'),
  list('/api/posts', 'Post', 'List posts', 'The latest posts of the social accounts, newest first.'),
  list('/api/messages', 'Message', 'List Discord messages', 'The last messages of the channels that rules write to, newest first.'),
  {
    method: 'get',
    path: '/api/events',
    id: 'streamEvents',
    summary: 'Stream events',
    about:
      'Server-sent events, one for each change. The event name is the kind, and the data is the changed record. Events without data mean that the list of their kind changed. Fanfare does not repeat missed events: after a reconnection, read the lists again.',
    params: NoParams,
    answers: { 200: { about: 'The stream of events.', content: { kind: 'events', type: 'text/event-stream' } } },
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    id: 'getDescription',
    summary: 'Get this description',
    about: 'The OpenAPI 3.1 description of this API.',
    params: NoParams,
    answers: { 200: { about: 'The description.', content: { kind: 'object' } } },
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'getHealth',
    summary: 'Check that the process runs',
    about: 'The liveness check for supervisors. It answers under any host name.',
    params: NoParams,
    isForAnyHost: true,
    answers: { 200: { about: 'The process runs.', content: { kind: 'record', of: 'Health' } } },
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'getReadiness',
    summary: 'Check that Fanfare is ready',
    about: 'The readiness check for supervisors: Discord is connected, and rules run. It answers under any host name.',
    params: NoParams,
    isForAnyHost: true,
    answers: {
      200: { about: 'Fanfare is ready.', content: { kind: 'record', of: 'Readiness' } },
      503: {
        about: 'Fanfare is not ready. `why` names the obstacle, if the host name of the request is allowed.',
        content: { kind: 'record', of: 'Readiness' },
      },
    },
  },
  {
    method: 'get',
    path: '/metrics',
    id: 'getMetrics',
    summary: 'Get metrics',
    about: 'The metrics in the text format of Prometheus.',
    params: NoParams,
    answers: { 200: { about: 'The metrics.', content: { kind: 'text', type: 'text/plain' } } },
  },
  {
    method: 'post',
    path: '/discord/interactions',
    id: 'takeInteraction',
    summary: 'Receive a Discord interaction',
    about: 'Discord sends commands here if `discord.publicKey` is set. Without the key, the path does not exist (404).',
    params: NoParams,
    headers: {
      'X-Signature-Ed25519': 'The signature of Discord.',
      'X-Signature-Timestamp': 'When Discord signed the request, in seconds since 1970.',
    },
    answers: {
      200: { about: 'The response to the interaction.', content: { kind: 'object' } },
      202: { about: 'Accepted. The response follows over the API of Discord.', content: { kind: 'empty' } },
      400: { about: 'The body is not an interaction.', content: { kind: 'record', of: 'Error' } },
      401: { about: 'The signature is wrong, too old or used before.', content: { kind: 'record', of: 'Error' } },
      413: { about: 'The body is larger than any interaction.', content: { kind: 'record', of: 'Error' } },
    },
  },
];
