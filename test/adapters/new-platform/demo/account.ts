import { z } from 'zod';
import { address, defineAccount, secret, textVariable, together, urlVariable } from '#adapters/account.ts';
import { capabilities } from './capabilities.ts';

export const account = defineAccount({
  platform: 'demo',
  title: 'Demo',
  capabilities,
  variables: {
    DEMO_URL: urlVariable('Account `demo`: the address of the server.', 'https://api.demo.test'),
    DEMO_TOKEN: textVariable('Account `demo`: the token.', 'd3m0'),
  },
  form: z.strictObject({
    platform: z.literal('demo'),
    url: address('The address of the server.', 'https://api.demo.test'),
    token: secret('The token.', 'DEMO_2_TOKEN'),
  }),
  settings: () => ({}),
  fromEnvironment({ DEMO_URL, DEMO_TOKEN }) {
    const found = together({ DEMO_URL, DEMO_TOKEN });
    return found && { url: found.DEMO_URL, token: found.DEMO_TOKEN };
  },
  open: async (one, parts) => (await import('./index.ts')).demo({ ...one, ...parts }),
});
