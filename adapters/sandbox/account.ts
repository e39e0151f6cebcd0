import { z } from 'zod';
import { address, defineAccount, secret, textVariable, together, urlVariable } from '#adapters/account.ts';
import { capabilities, TEXT_LIMIT } from './capabilities.ts';

/** The social platform of a sandbox. */
export const account = defineAccount({
  platform: 'sandbox',
  title: 'Sandbox',
  capabilities,
  textLimit: TEXT_LIMIT,
  variables: {
    SANDBOX_URL: urlVariable(
      'Account `sandbox`: the social platform of a sandbox in another process, as `fanfare sandbox` prints it.',
      'http://127.0.0.1:8081/social/api',
    ),
    SANDBOX_TOKEN: textVariable('Account `sandbox`: the token of the sandbox.', 'sandbox-…'),
  },
  form: z.strictObject({
    platform: z.literal('sandbox'),
    url: address('The social platform of a sandbox, as `fanfare sandbox` prints it.', 'http://127.0.0.1:8081/social/api'),
    token: secret('The token of the sandbox.', 'CLUB_TOKEN'),
  }),
  settings: () => ({}),
  fromEnvironment({ SANDBOX_URL, SANDBOX_TOKEN }) {
    const server = together({ SANDBOX_URL, SANDBOX_TOKEN });
    return server && { url: server.SANDBOX_URL, token: server.SANDBOX_TOKEN };
  },
  open: async (one, parts) => (await import('./index.ts')).sandbox({ ...one, ...parts }),
});
