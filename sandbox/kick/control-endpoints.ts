import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';

export const revokeKickTokens = endpoint({
  method: 'POST',
  path: '/kick/revoke',
  summary: 'Revokes all tokens of Kick.',
  details: 'The next request with a revoked token is answered with 401, so the client signs in again.',
  answer: '`revoked` is the number of revoked tokens.',
  body: z.strictObject({}),
  examples: [{ title: 'Revoke all tokens', body: {} }],
  mistakes: [{ body: { token: 'a' } }],
});
