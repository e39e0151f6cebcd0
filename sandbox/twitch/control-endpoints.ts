import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';

export const revokeTwitchTokens = endpoint({
  method: 'POST',
  path: '/twitch/revoke',
  summary: 'Revokes one token or all tokens of Twitch.',
  details: 'The next request with a revoked token is answered with 401, so the client signs in again.',
  answer: '`revoked` is the number of revoked tokens.',
  body: z.strictObject({ token: z.string().optional().describe('The token. Without it, all tokens are revoked.') }),
  examples: [{ title: 'Revoke all tokens', body: {} }],
  mistakes: [{ body: { tokens: 'all' } }],
});
