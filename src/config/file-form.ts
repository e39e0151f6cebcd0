import { z } from 'zod';
import type { JsonSchema } from '#src/rules/schema.ts';
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
  z.string().regex(SECRET, { error: 'secrets are environment variables: write ${NAME} here, and NAME=… in .env' }).describe(about);

/** A text without a secret. */
const plain = () =>
  z
    .string()
    .min(1)
    .refine((text) => !text.includes('${'), { error: 'only secrets can be variables: write the value itself', abort: true });

/** The address of a server. */
const address = (about: string) => plain().refine(isAddress, { error: 'write an address with http:// or https://' }).describe(about);

/** An IANA time zone. */
const zone = (about: string) => plain().refine(isZone, { error: 'unknown time zone: write it as Europe/Berlin' }).describe(about);

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
  clientSecret: secret('The secret of the application.'),
};

/** The fields of an account by platform. */
export const ACCOUNT_FORMS = {
  twitch: z.strictObject({ platform: z.literal('twitch'), ...app }),
  kick: z.strictObject({ platform: z.literal('kick'), ...app }),
  x: z
    .strictObject({
      platform: z.literal('x'),
      clientId: plain().describe('The OAuth 2.0 client id of the application, for the sign-in with `fanfare auth`.').optional(),
      clientSecret: secret('The OAuth 2.0 client secret, if the application has one.').optional(),
      bearerToken: secret('The bearer token of the application. It can only read.').optional(),
      apiKey: secret('OAuth 1.0a: the API key of the application.').optional(),
      apiSecret: secret('OAuth 1.0a: the API secret of the application.').optional(),
      accessToken: secret('OAuth 1.0a: the access token of the account.').optional(),
      accessSecret: secret('OAuth 1.0a: the access token secret of the account.').optional(),
    })
    .refine(hasWholeKeys, { error: 'apiKey, apiSecret, accessToken and accessSecret only work together' })
    .refine(hasKeys, { error: 'one of these is required: clientId; apiKey, apiSecret, accessToken and accessSecret; or bearerToken' }),
  bluesky: z.strictObject({
    platform: z.literal('bluesky'),
    handle: plain()
      .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/iu, { error: 'write a handle without @, as name.bsky.social' })
      .describe('The handle, as name.bsky.social.'),
    appPassword: secret('An app password; absent: sign in with `fanfare auth`.').optional(),
    url: address('The server of the account; absent: BLUESKY_URL.').optional(),
  }),
  mastodon: z.strictObject({
    platform: z.literal('mastodon'),
    url: address('The server, as https://mastodon.social.'),
    token: secret('An access token; absent: sign in with `fanfare auth`.').optional(),
  }),
  discord: z.strictObject({
    platform: z.literal('discord'),
    server: plain()
      .regex(/^\d{15,20}$/u, { error: 'the id of a server is a long number: turn on Developer Mode in Discord and copy the id' })
      .describe('The id of a Discord server. The bot of DISCORD_TOKEN must be a member.'),
    zone: zone('The time zone of the server; absent: the time zone in `discord`.').optional(),
  }),
  assistant: z.strictObject({
    platform: z.literal('assistant'),
    model: plain().describe('The name of the model.'),
    apiKey: secret('The API key.'),
    url: address('An OpenAI-compatible endpoint; absent: ASSISTANT_URL.').optional(),
  }),
  sandbox: z.strictObject({
    platform: z.literal('sandbox'),
    url: address('The social platform of a sandbox, as `fanfare sandbox` prints it.'),
    token: secret('The token of the sandbox.'),
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

const oneOrMore = (about: string) => z.union([plain(), z.array(plain())]).describe(about);

const quota = (about: string) =>
  plain()
    .regex(/^[1-9]\d{0,5} per [1-9]\d{0,3}[mhd]$/u, { error: 'write a quota as 20 per 1h' })
    .describe(about);

const usd = (about: string) =>
  plain()
    .regex(/^(?!0+(?:\.0+)? )\d{1,6}(?:\.\d{1,3})? USD$/u, { error: 'write an amount as 20 USD or 0.10 USD' })
    .describe(about);

const roles = (about: string) => oneOrMore(`${about} Names or ids of roles, or @everyone.`).optional();

const sections = {
  defaults: z
    .strictObject({
      streaming: oneOrMore('The accounts for streams and look-ups.').optional(),
      social: oneOrMore('The accounts for posts.').optional(),
      discord: oneOrMore('The accounts for messages in Discord.').optional(),
      assistant: oneOrMore('The account for `/ask` and for rules that ask the assistant.').optional(),
    })
    .describe('The accounts of rules without `account`.')
    .optional(),
  budgets: z
    .record(
      z.string(),
      z.strictObject({
        month: usd('The limit for a calendar month in UTC; absent: no limit. Only X.').optional(),
        page: usd('The limit for one page of a composed read; absent: no composed reads. Only X.').optional(),
        requests: z.int().min(1).max(100).describe('The number of requests for one page of a composed read; absent: 10.').optional(),
      }),
    )
    .describe('The budgets by account name.')
    .optional(),
  posts: z
    .record(
      z.string(),
      z.strictObject({
        language: language('The default language of posts, as `de`. Only Mastodon and Bluesky.').optional(),
        visibility: z
          .enum(['public', 'unlisted', 'private', 'direct'])
          .describe('The default visibility of posts; absent: the setting of the account. Only Mastodon.')
          .optional(),
      }),
    )
    .describe('The defaults of posts by account name.')
    .optional(),
  discord: z
    .strictObject({
      zone: zone('The default time zone of servers; absent: UTC.').optional(),
      roles: z
        .strictObject({
          look: roles('Members who can look things up; absent: everyone.'),
          ask: roles('Members who can ask the assistant; absent: everyone.'),
          post: roles('Members who can post; absent: members who can manage the server.'),
          operate: roles('Members who can control rules and deliveries; absent: members who can manage the server.'),
        })
        .describe('The permissions of roles. Administrators of a server have all permissions.')
        .optional(),
      questions: z
        .strictObject({
          person: quota('The quota of one person for questions; absent: 20 per 1h.').optional(),
          server: quota('The quota of one server for questions; absent: 200 per 1h.').optional(),
        })
        .optional(),
      queue: z
        .array(plain().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { error: 'write a time of the day as 09:30' }))
        .min(1)
        .describe('The times of the day for queued posts; absent: 09:00, 13:00 and 18:00.')
        .optional(),
      shards: z
        .union([z.literal('auto'), z.int().min(1).max(1000)])
        .describe('How the gateway is split; absent: 1.')
        .optional(),
      gateway: z.boolean().describe('false: commands come over HTTP alone.').optional(),
      publicKey: plain()
        .regex(/^[0-9a-f]{64}$/u, {
          error: 'the public key has 64 hexadecimal digits: copy it from the page of the application',
        })
        .describe("The application's public key. It turns on commands over HTTP.")
        .optional(),
    })
    .describe('The settings of the Discord bot.')
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
    .describe('Accounts by name, in addition to those of the environment.')
    .optional(),
  ...sections,
});
export type FanfareFile = z.output<typeof FanfareFile>;

/** The JSON Schema of `fanfare.yaml`, for editors. */
export function configSchema(): JsonSchema {
  return { ...z.toJSONSchema(FanfareFile, { io: 'input' }), title: 'The configuration of Fanfare' };
}
