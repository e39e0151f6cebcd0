import { z } from 'zod';
import { application, defineAccount, textVariable, together, urlVariableOr, variable } from '#adapters/account.ts';
import { capabilities } from './capabilities.ts';

/** An application of Kick. */
export const account = defineAccount({
  platform: 'kick',
  title: 'Kick',
  capabilities,
  budget: 'requests',
  namesPerRequest: 50,
  variables: {
    KICK_CLIENT_ID: textVariable('Account `kick`: the client id of the application.', '01HZX3ABCD'),
    KICK_CLIENT_SECRET: textVariable('Account `kick`: the client secret of the application.', '9f3c…'),
    KICK_API_URL: urlVariableOr(
      'https://api.kick.com',
      'The address of the Kick API, for a proxy or a sandbox.',
      'http://127.0.0.1:8081/kick',
    ),
    KICK_WEBHOOKS: variable(
      'Whether Kick notifies Fanfare about the channels that rules watch, so that rules poll at once. It needs `FANFARE_PUBLIC_URL`, and its address in the application of Kick.',
      'off',
      z.enum(['on', 'off'], { error: 'use on or off' }).default('on'),
    ),
    KICK_AUTH_URL: urlVariableOr(
      'https://id.kick.com',
      'The address of the authentication server of Kick, for a proxy or a sandbox.',
      'http://127.0.0.1:8081/kick',
    ),
  },
  form: z.strictObject({ platform: z.literal('kick'), ...application() }),
  webhookSetting: 'Webhook URL of the application',
  setup: {
    steps: () => [
      'Open https://kick.com/settings/developer and choose Create new.',
      'Redirect URL: http://localhost. Scopes: none are needed.',
    ],
    fields: [
      { variable: 'KICK_CLIENT_ID', question: 'Client ID' },
      { variable: 'KICK_CLIENT_SECRET', question: 'Client Secret', isSecret: true },
    ],
  },
  settings: ({ KICK_API_URL: apiUrl, KICK_AUTH_URL: authUrl, KICK_WEBHOOKS: webhooks }) => ({
    apiUrl,
    authUrl,
    hasEvents: webhooks === 'on',
  }),
  fromEnvironment({ KICK_CLIENT_ID, KICK_CLIENT_SECRET }) {
    const app = together({ KICK_CLIENT_ID, KICK_CLIENT_SECRET });
    return app && { clientId: app.KICK_CLIENT_ID, clientSecret: app.KICK_CLIENT_SECRET };
  },
  open: async (one, parts) => (await import('./index.ts')).kick({ ...one, ...parts }),
});
