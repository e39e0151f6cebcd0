import { z } from 'zod';
import { application, defineAccount, textVariable, together, urlVariableOr, variable } from '#adapters/account.ts';
import { capabilities } from './capabilities.ts';

const API_URL = 'https://api.twitch.tv/helix';
const EVENTSUB_URL = 'wss://eventsub.wss.twitch.tv/ws';

/** What all accounts of Twitch share. */
interface Settings {
  readonly apiUrl: string;
  readonly authUrl: string;
  /** The WebSocket server of EventSub; absent: Twitch does not notify. */
  readonly eventSubUrl?: string | undefined;
  /** Whether Twitch notifies at the public address. */
  readonly hasWebhook?: boolean | undefined;
}

/** An application of Twitch. */
export const account = defineAccount({
  platform: 'twitch',
  title: 'Twitch',
  capabilities,
  budget: 'requests',
  requestsPerMinute: 800,
  variables: {
    TWITCH_CLIENT_ID: textVariable('Account `twitch`: the client id of the application.', 'gp762nuuoqcoxypju8c569th9wz7q5'),
    TWITCH_CLIENT_SECRET: textVariable('Account `twitch`: the client secret of the application.', '2h1k…'),
    TWITCH_API_URL: urlVariableOr(
      API_URL,
      'The address of the Twitch API, for a proxy or a sandbox.',
      'http://127.0.0.1:8081/twitch/helix',
    ),
    TWITCH_AUTH_URL: urlVariableOr(
      'https://id.twitch.tv/oauth2',
      'The address of the authentication server of Twitch, for a proxy or a sandbox.',
      'http://127.0.0.1:8081/twitch/oauth2',
    ),
    TWITCH_EVENTSUB: variable(
      'Whether Twitch notifies Fanfare about the channels that rules watch, so that rules poll at once. `on`: over a WebSocket, which needs no public address. `webhook`: at `FANFARE_PUBLIC_URL`.',
      'off',
      z.enum(['on', 'off', 'webhook'], { error: 'use on, off or webhook' }).default('on'),
    ),
    TWITCH_EVENTSUB_URL: variable(
      'The address of the WebSocket server of EventSub, for a proxy or a sandbox. With another `TWITCH_API_URL`, there are no notifications without this address.',
      'ws://127.0.0.1:8081/twitch/ws',
      z.url({ protocol: /^wss?$/u, error: 'write an address that begins with wss:// or ws://' }).optional(),
    ),
  },
  form: z.strictObject({ platform: z.literal('twitch'), ...application() }),
  setup: {
    steps: () => [
      'Open https://dev.twitch.tv/console/apps and choose Register Your Application.',
      'Name: your choice. OAuth Redirect URLs: http://localhost. Category: Application Integration. Client Type: Confidential.',
      'Choose Manage, then New Secret. Twitch shows the secret once.',
    ],
    fields: [
      { variable: 'TWITCH_CLIENT_ID', question: 'Client ID' },
      { variable: 'TWITCH_CLIENT_SECRET', question: 'Client Secret', isSecret: true },
    ],
  },
  settings({ TWITCH_API_URL: apiUrl, TWITCH_AUTH_URL: authUrl, TWITCH_EVENTSUB: eventSub, TWITCH_EVENTSUB_URL: url }): Settings {
    const eventSubUrl = url ?? (apiUrl === API_URL ? EVENTSUB_URL : undefined);
    return { apiUrl, authUrl, eventSubUrl: eventSub === 'on' ? eventSubUrl : undefined, hasWebhook: eventSub === 'webhook' };
  },
  fromEnvironment({ TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET }) {
    const app = together({ TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET });
    return app && { clientId: app.TWITCH_CLIENT_ID, clientSecret: app.TWITCH_CLIENT_SECRET };
  },
  open: async (one, parts) => (await import('./index.ts')).twitch({ ...one, ...parts }),
  channelSignIn: async ({ clientId, authUrl }, options) =>
    (await import('./auth/device.ts')).signInAsChannel({ clientId, authUrl, ...options }),
});
