import { z } from 'zod';
import { PLATFORMS } from './accounts.ts';

/** A mistake in a valid `fanfare.yaml`, in relation to the environment or the rest of the file. */
export interface FileMistake {
  /** The path of the mistake, as `['defaults', 'social', 0]`. */
  readonly path: readonly (string | number)[];
  /** Whether the key is wrong, not its value. */
  readonly isKey?: boolean | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
  /** An unknown name and the known ones. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] } | undefined;
}

/** A secret in the file: the name of an environment variable. */
export const SECRET = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/u;

/** A variable with a secret. */
const secret = (about: string) =>
  z
    .string()
    .regex(SECRET, { error: 'secrets stand in the environment, not in this file: write ${NAME} here, and NAME=… into .env' })
    .describe(about);

/** A text without a secret. */
const plain = () =>
  z
    .string()
    .min(1)
    .refine((text) => !text.includes('${'), { error: 'only secrets come out of the environment: write it as it is', abort: true });

/** The address of a server. */
const address = (about: string) =>
  plain().refine(isAddress, { error: 'an address that begins with http:// or https:// is wanted' }).describe(about);

/** An IANA time zone. */
const zone = (about: string) => plain().refine(isZone, { error: 'there is no such time zone: write it as Europe/Berlin' }).describe(about);

/** A language code. */
const language = (about: string) =>
  plain().refine(isLanguage, { error: 'this is not a language code: write it as de, en or pt-BR' }).describe(about);

function isLanguage(code: string): boolean {
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined;
  } catch {
    return false;
  }
}

function isAddress(text: string): boolean {
  return /^https?:\/\//u.test(text) && URL.canParse(text);
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const app = {
  clientId: plain().describe('The id of the application.'),
  clientSecret: secret('Its secret.'),
};

/** The fields of an account by platform. */
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

const someOf = (about: string) => z.union([plain(), z.array(plain())]).describe(about);

const quota = (about: string) =>
  plain()
    .regex(/^[1-9]\d{0,5} per [1-9]\d{0,3}[mhd]$/u, { error: 'so many in so long are written as 20 per 1h' })
    .describe(about);

const usd = (about: string) =>
  plain()
    .regex(/^(?!0+(?:\.0+)? )\d{1,6}(?:\.\d{1,3})? USD$/u, { error: 'an amount is written as 20 USD or 0.10 USD' })
    .describe(about);

const roles = (about: string) => someOf(`${about} Names or ids of roles; @everyone is everybody.`).optional();

const sections = {
  defaults: z
    .strictObject({
      streaming: someOf('Where rules look for streams, and look-ups.').optional(),
      social: someOf('Where rules post.').optional(),
      discord: someOf('Where rules write in Discord.').optional(),
      assistant: someOf('Who answers `/ask`, and rules that ask.').optional(),
    })
    .describe('The accounts of rules that name none.')
    .optional(),
  budgets: z
    .record(
      z.string(),
      z.strictObject({
        month: usd('What the account may cost in a calendar month, in UTC; absent: it is only counted. Of X.').optional(),
        page: usd(
          'What a page of a read may cost that is put together from several requests; absent: there are no such reads. Of X.',
        ).optional(),
        requests: z.int().min(1).max(100).describe('How many requests such a page may take; absent: 10.').optional(),
      }),
    )
    .describe('What accounts may use, by their names.')
    .optional(),
  posts: z
    .record(
      z.string(),
      z.strictObject({
        language: language('The language of posts that name none, as `de`. Of Mastodon and Bluesky.').optional(),
        visibility: z
          .enum(['public', 'unlisted', 'private', 'direct'])
          .describe('Who sees posts that do not name it; absent: as in the settings of the account. Of Mastodon.')
          .optional(),
      }),
    )
    .describe('What posts have that do not name it, by the names of accounts.')
    .optional(),
  discord: z
    .strictObject({
      zone: zone('The time zone of servers that say none of their own; absent: UTC.').optional(),
      roles: z
        .strictObject({
          look: roles('Who may look things up; absent: everybody.'),
          ask: roles('Who may ask the assistant; absent: everybody.'),
          post: roles('Who may post; absent: who may manage the server.'),
          operate: roles('Who may control rules and deliveries; absent: who may manage the server.'),
        })
        .describe('Who may do what. Administrators of a server always may.')
        .optional(),
      questions: z
        .strictObject({
          person: quota('How much one person may ask the assistant; absent: 20 per 1h.').optional(),
          server: quota('How much one server may ask it; absent: 200 per 1h.').optional(),
        })
        .optional(),
      queue: z
        .array(plain().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { error: 'a time of the day is written as 09:30' }))
        .min(1)
        .describe('The times of the day at which queued posts go out; absent: 09:00, 13:00 and 18:00.')
        .optional(),
      shards: z
        .union([z.literal('auto'), z.int().min(1).max(1000)])
        .describe('How the gateway is split; absent: 1.')
        .optional(),
      gateway: z.boolean().describe('false: commands come over HTTP alone.').optional(),
      publicKey: plain()
        .regex(/^[0-9a-f]{64}$/u, {
          error: 'the public key is 64 digits and letters from a to f: copy it from the page of the application',
        })
        .describe("The application's public key: with it, commands are taken over HTTP.")
        .optional(),
    })
    .describe('How the bot in Discord behaves.')
    .optional(),
};

const { twitch, kick, x, bluesky, mastodon, discord, assistant, sandbox } = ACCOUNT_FORMS;

/** The schema of the file without the fields of its accounts. */
export const FileOutline = z.strictObject({
  accounts: z.record(z.string(), z.looseObject({ platform: z.enum(PLATFORMS) })).optional(),
  ...sections,
});

/** The schema of `fanfare.yaml`. */
export const FanfareFile = z.strictObject({
  accounts: z
    .record(z.string(), z.discriminatedUnion('platform', [twitch, kick, x, bluesky, mastodon, discord, assistant, sandbox]))
    .describe('More accounts than the environment opens, by the names by which rules know them.')
    .optional(),
  ...sections,
});
export type FanfareFile = z.output<typeof FanfareFile>;
