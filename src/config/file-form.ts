import { z } from 'zod';
import { serverAddressRemedy } from '#src/operation/server-address.ts';
import type { JsonSchema } from '#src/rules/schema.ts';
import { PLATFORMS } from './accounts.ts';

/** A mistake in a valid `fanfare.yaml`, in relation to the environment or the rest of the file. */
export interface FileMistake {
  /** The path of the mistake, for example `['defaults', 'social', 0]`. */
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
const secret = (about: string, variable: string) =>
  z
    .string()
    .regex(SECRET, { error: 'secrets are environment variables: write ${NAME} here, and NAME=… in .env' })
    .meta({ description: about, examples: [`\${${variable}}`] });

/** A text without a secret. */
const plain = () =>
  z
    .string()
    .min(1)
    .refine((text) => !text.includes('${'), { error: 'only secrets can be variables: write the value itself', abort: true });

/** The address of a server. */
const address = (about: string, example: string) =>
  plain()
    .refine((text) => serverAddressRemedy(text) === undefined, { error: ({ input }) => serverAddressRemedy(String(input)) })
    .meta({ description: about, examples: [example] });

/** An IANA time zone. */
const zone = (about: string) =>
  plain()
    .refine(isZone, { error: 'unknown time zone: write a name as Europe/Berlin' })
    .meta({ description: about, examples: ['Europe/Berlin'] });

/** A language code. */
const language = (about: string) =>
  plain()
    .refine(isLanguage, { error: 'not a language code: write it as de, en or pt-BR' })
    .meta({ description: about, examples: ['de'] });

function isLanguage(code: string): boolean {
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined;
  } catch {
    return false;
  }
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
  clientId: plain().meta({ description: 'The id of the application.', examples: ['gp762nuuoqcoxypju8c569th9wz7q5'] }),
  clientSecret: secret('The secret of the application.', 'ALT_TWITCH_SECRET'),
};

/** The fields of an account by platform. */
export const ACCOUNT_FORMS = {
  twitch: z.strictObject({ platform: z.literal('twitch'), ...app }),
  kick: z.strictObject({ platform: z.literal('kick'), ...app }),
  x: z
    .strictObject({
      platform: z.literal('x'),
      clientId: plain()
        .meta({
          description: 'The OAuth 2.0 client id of the application, for the sign-in with `fanfare auth`.',
          examples: ['VGhpc0lzTm90'],
        })
        .optional(),
      clientSecret: secret('The OAuth 2.0 client secret, if the application has one.', 'X_CLUB_SECRET').optional(),
      bearerToken: secret('The bearer token of the application. It can only read.', 'X_CLUB_BEARER').optional(),
      apiKey: secret('OAuth 1.0a: the API key of the application.', 'X_TEAM_KEY').optional(),
      apiSecret: secret('OAuth 1.0a: the API secret of the application.', 'X_TEAM_KEY_SECRET').optional(),
      accessToken: secret('OAuth 1.0a: the access token of the account.', 'X_TEAM_TOKEN').optional(),
      accessSecret: secret('OAuth 1.0a: the access token secret of the account.', 'X_TEAM_TOKEN_SECRET').optional(),
    })
    .refine(hasWholeKeys, { error: 'apiKey, apiSecret, accessToken and accessSecret only work together' })
    .refine(hasKeys, { error: 'one of these is required: clientId; apiKey, apiSecret, accessToken and accessSecret; or bearerToken' }),
  bluesky: z.strictObject({
    platform: z.literal('bluesky'),
    handle: plain()
      .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/iu, { error: 'write a handle without @, for example name.bsky.social' })
      .meta({ description: 'The handle, for example name.bsky.social.', examples: ['club.bsky.social'] }),
    appPassword: secret('An app password; absent: sign in with `fanfare auth`.', 'SKY_APP_PASSWORD').optional(),
    url: address('The server of the account; absent: BLUESKY_URL.', 'https://bsky.social').optional(),
  }),
  mastodon: z.strictObject({
    platform: z.literal('mastodon'),
    url: address('The server URL, for example https://mastodon.social.', 'https://mastodon.social'),
    token: secret('An access token; absent: sign in with `fanfare auth`.', 'MASTODON_DE_TOKEN').optional(),
  }),
  discord: z.strictObject({
    platform: z.literal('discord'),
    server: plain()
      .regex(/^\d{15,20}$/u, { error: 'the id of a server is a long number: turn on Developer Mode in Discord and copy the id' })
      .meta({ description: 'The id of a Discord server. The bot of DISCORD_TOKEN must be a member.', examples: ['1202584131993600007'] }),
    zone: zone('The time zone of the server; absent: the time zone in `discord`.').optional(),
  }),
  assistant: z.strictObject({
    platform: z.literal('assistant'),
    model: plain().meta({ description: 'The name of the model.', examples: ['llama3.3'] }),
    apiKey: secret('The API key.', 'LOCAL_KEY'),
    url: address('An OpenAI-compatible endpoint; absent: ASSISTANT_URL.', 'http://localhost:11434/v1').optional(),
  }),
  sandbox: z.strictObject({
    platform: z.literal('sandbox'),
    url: address('The social platform of a sandbox, as `fanfare sandbox` prints it.', 'http://127.0.0.1:8081/social/api'),
    token: secret('The token of the sandbox.', 'CLUB_TOKEN'),
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

const oneOrMore = (about: string, example: string | readonly string[]) =>
  z.union([plain(), z.array(plain())]).meta({ description: about, examples: [example] });

const quota = (about: string) =>
  plain()
    .regex(/^[1-9]\d{0,5} per [1-9]\d{0,3}[mhd]$/u, { error: 'write a quota as 20 per 1h' })
    .meta({ description: about, examples: ['20 per 1h'] });

const usd = (about: string, example: string) =>
  plain()
    .regex(/^(?!0+(?:\.0+)? )\d{1,6}(?:\.\d{1,3})? USD$/u, { error: 'write an amount as 20 USD or 0.10 USD' })
    .meta({ description: about, examples: [example] });

const roles = (about: string) =>
  oneOrMore(`${about} Names or ids of roles, or @everyone.`, ['Moderator', '1202584131993600003']).optional();

const sections = {
  defaults: z
    .strictObject({
      streaming: oneOrMore('The accounts for streams and look-ups.', 'twitch').optional(),
      social: oneOrMore('The accounts for posts.', ['x', 'mastodon_de']).optional(),
      discord: oneOrMore('The accounts for messages in Discord.', ['discord', 'berlin']).optional(),
      assistant: oneOrMore('The account for `/ask` and for rules that ask the assistant.', 'assistant').optional(),
    })
    .meta({ description: 'The accounts of rules without `account`.', examples: [{ social: ['x', 'mastodon_de'] }] })
    .optional(),
  budgets: z
    .record(
      z.string(),
      z.strictObject({
        month: usd('The limit for a calendar month in UTC; absent: no limit. Only X.', '20 USD').optional(),
        page: usd('The limit for one page of a composed read; absent: no composed reads. Only X.', '0.10 USD').optional(),
        requests: z
          .int()
          .min(1)
          .max(100)
          .meta({ description: 'The number of requests for one page of a composed read; absent: 10.', examples: [20] })
          .optional(),
      }),
    )
    .meta({ description: 'The budgets by account name.', examples: [{ x: { month: '20 USD' } }] })
    .optional(),
  posts: z
    .record(
      z.string(),
      z.strictObject({
        language: language('The default language of posts, for example `de`. Only Mastodon and Bluesky.').optional(),
        visibility: z
          .enum(['public', 'unlisted', 'followers', 'direct'])
          .meta({
            description: 'The default visibility of posts; absent: the setting of the account. Only Mastodon.',
            examples: ['unlisted'],
          })
          .optional(),
      }),
    )
    .meta({ description: 'The defaults of posts by account name.', examples: [{ mastodon: { language: 'de' } }] })
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
        .meta({
          description: 'The permissions of roles. Administrators of a server have all permissions.',
          examples: [{ post: ['Editor'] }],
        })
        .optional(),
      questions: z
        .strictObject({
          person: quota('The quota of one person for questions; absent: 20 per 1h.').optional(),
          server: quota('The quota of one server for questions; absent: 200 per 1h.').optional(),
        })
        .meta({ description: 'The quotas for questions to the assistant.', examples: [{ person: '20 per 1h' }] })
        .optional(),
      queue: z
        .array(plain().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { error: 'write a time of the day as 09:30' }))
        .min(1)
        .meta({ description: 'The times of the day for queued posts; absent: 09:00, 13:00 and 18:00.', examples: [['09:00', '18:00']] })
        .optional(),
      shards: z
        .union([z.literal('auto'), z.int().min(1).max(1000)])
        .meta({ description: 'The number of gateway shards; absent: auto, which is the number that Discord recommends.', examples: [4] })
        .optional(),
      gateway: z
        .boolean()
        .meta({ description: 'false: commands come only over HTTP.', examples: [false] })
        .optional(),
      publicKey: plain()
        .regex(/^[0-9a-f]{64}$/u, {
          error: 'the public key has 64 hexadecimal digits: copy it from the page of the application',
        })
        .meta({
          description: "The application's public key. It turns on commands over HTTP.",
          examples: ['3f1c9a52e07b4d8896ab15cd20ef7746a1b2c3d4e5f60718293a4b5c6d7e8f90'],
        })
        .optional(),
    })
    .meta({ description: 'The settings of the Discord bot.', examples: [{ zone: 'Europe/Berlin' }] })
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
    .meta({
      description: 'Accounts by name, in addition to those of the environment.',
      examples: [{ mastodon_de: { platform: 'mastodon', url: 'https://mastodon.social' } }],
    })
    .optional(),
  ...sections,
});
export type FanfareFile = z.output<typeof FanfareFile>;

/** The JSON Schema of `fanfare.yaml`, for editors. */
export function configSchema(): JsonSchema {
  return { ...z.toJSONSchema(FanfareFile, { io: 'input' }), title: 'The configuration of Fanfare' };
}
