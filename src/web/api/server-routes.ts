import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { object, problem, record, text } from './responses.ts';

/** The routes beside `/api`, which are served from the start. */
export const SERVER_ROUTES = [
  createRoute({
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Check that the process runs',
    description: 'The liveness check for supervisors. It answers under any host name.',
    responses: { 200: record('Health', 'The process runs.') },
  }),
  createRoute({
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check that Fanfare is ready',
    description: 'The readiness check for supervisors: Discord is connected, and rules run. It answers under any host name.',
    responses: {
      200: record('Readiness', 'Fanfare is ready.'),
      503: record(
        'Readiness',
        'Fanfare is not ready. `message` names the obstacle, for requests on this machine and for requests with a session or a token.',
      ),
    },
  }),
  createRoute({
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Get metrics',
    description: 'The metrics in the text format of Prometheus.',
    responses: {
      200: text('The metrics.', 'text/plain'),
      401: problem('The token or the session is missing or not valid.'),
      403: problem('The host name of the request is not allowed. Add it to `FANFARE_ALLOWED_HOSTS`.'),
    },
  }),
  createRoute({
    method: 'post',
    path: '/discord/interactions',
    operationId: 'takeInteraction',
    summary: 'Receive a Discord interaction',
    description: 'Discord sends commands here if `discord.publicKey` is set. Without the key, the path does not exist (404).',
    parameters: [
      { name: 'X-Signature-Ed25519', in: 'header', required: true, description: 'The signature of Discord.', schema: { type: 'string' } },
      {
        name: 'X-Signature-Timestamp',
        in: 'header',
        required: true,
        description: 'When Discord signed the request, in seconds since 1970.',
        schema: { type: 'string' },
      },
    ],
    request: { body: { required: true, content: { 'application/json': { schema: { type: 'object' } } } } },
    responses: {
      200: object('The response to the interaction.'),
      202: text('Accepted. The response follows over the API of Discord.'),
      400: problem('The body is not an interaction.'),
      401: problem('The signature is wrong, too old or used before.'),
      413: problem('The body is larger than any interaction.'),
    },
  }),
  createRoute({
    method: 'post',
    path: '/hooks/{name}',
    operationId: 'receiveWebhook',
    summary: 'Receive a webhook for rules',
    description:
      'Another service sends a payload to the rules with `when: { webhook }` of this name. It proves its secret with a signature or a token, so it needs no session, and any host name is allowed. The same payload counts once, so the sender may repeat it.',
    request: {
      params: z.object({ name: z.string().describe('The name in the rule, for example `kofi`.') }),
      query: z.object({ token: z.string().optional().describe('The token of a sender that can only choose an address.') }),
      body: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object' } },
          'application/x-www-form-urlencoded': { schema: { type: 'object' } },
        },
      },
    },
    responses: {
      202: text('All rules have stored it.'),
      400: problem('The body is no JSON object and no form, or it lacks fields of the rule: `errors` names them.'),
      401: problem('The request does not prove the secret, or its signature is older than five minutes.'),
      404: problem('No rule has this webhook, or its secret is not set.'),
      413: problem('The body is larger than the rule allows.'),
      429: problem('More than 120 requests arrived in a minute. `Retry-After` says when to repeat it.'),
      503: problem('It could not be stored. Repeat it after the time in `Retry-After`.'),
    },
  }),
];
