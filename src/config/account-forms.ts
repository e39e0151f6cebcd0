import { z } from 'zod';
import type { PLATFORMS } from './accounts.ts';
import { address, plain, secret, zone } from './file-fields.ts';

const app = {
  clientId: plain().describe('The id of the application.'),
  clientSecret: secret('Its secret.'),
};

/** What stands in an account, by its platform. */
export const ACCOUNT_FORMS = {
  twitch: z.strictObject({ platform: z.literal('twitch'), ...app }),
  kick: z.strictObject({ platform: z.literal('kick'), ...app }),
  x: z
    .strictObject({
      platform: z.literal('x'),
      clientId: plain().describe('The OAuth 2.0 client id of the application: somebody signs in with `fanfare auth`.').optional(),
      clientSecret: secret('Its OAuth 2.0 client secret, where it has one.').optional(),
      bearerToken: secret('The bearer token of the application: enough to read.').optional(),
      apiKey: secret('OAuth 1.0a: the API key of the application.').optional(),
      apiSecret: secret('OAuth 1.0a: its secret.').optional(),
      accessToken: secret('OAuth 1.0a: the access token of the account.').optional(),
      accessSecret: secret('OAuth 1.0a: its secret.').optional(),
    })
    .refine(hasWholeKeys, { error: 'apiKey, apiSecret, accessToken and accessSecret only work together' })
    .refine(hasKeys, { error: 'clientId, or apiKey with its three companions, or bearerToken is wanted' }),
  bluesky: z.strictObject({
    platform: z.literal('bluesky'),
    handle: plain()
      .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/iu, { error: 'a handle is written without @, as name.bsky.social' })
      .describe('The handle, as name.bsky.social.'),
    appPassword: secret('An app password; absent: somebody signs in with `fanfare auth`.').optional(),
    url: address('The server of the account; absent: BLUESKY_URL.').optional(),
  }),
  mastodon: z.strictObject({
    platform: z.literal('mastodon'),
    url: address('The server, as https://mastodon.social.'),
    token: secret('An access token; absent: somebody signs in with `fanfare auth`.').optional(),
  }),
  discord: z.strictObject({
    platform: z.literal('discord'),
    server: plain()
      .regex(/^\d{15,20}$/u, { error: 'the id of a server is a long number: turn on Developer Mode in Discord, and copy it there' })
      .describe('The id of a Discord server. The bot of DISCORD_TOKEN has to be in it.'),
    zone: zone('The time zone of its people; absent: the one of `discord`.').optional(),
  }),
  assistant: z.strictObject({
    platform: z.literal('assistant'),
    model: plain().describe('The model, as its provider calls it.'),
    apiKey: secret('The key.'),
    url: address('An OpenAI-compatible endpoint; absent: ASSISTANT_URL.').optional(),
  }),
  sandbox: z.strictObject({
    platform: z.literal('sandbox'),
    url: address('The social platform of a sandbox, as `fanfare sandbox` prints it.'),
    token: secret('Its token.'),
  }),
} satisfies Record<(typeof PLATFORMS)[number], z.ZodType>;

interface XKeys {
  readonly clientId?: string | undefined;
  readonly bearerToken?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly accessSecret?: string | undefined;
}

function hasWholeKeys({ apiKey, apiSecret, accessToken, accessSecret }: XKeys): boolean {
  return new Set([apiKey, apiSecret, accessToken, accessSecret].map((key) => key === undefined)).size === 1;
}

function hasKeys({ clientId, bearerToken, apiKey }: XKeys): boolean {
  return [clientId, bearerToken, apiKey].some((key) => key !== undefined);
}
