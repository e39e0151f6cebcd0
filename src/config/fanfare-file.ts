import { z } from 'zod';
import { plain, zone, type AccountDefinition } from '#adapters/account.ts';
import { formatList } from '#src/rules/messages/format.ts';
import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { DEFINITIONS, PLATFORMS, type Platform } from './accounts.ts';
import { WebhookForm } from './webhook-form.ts';

/** A mistake in a valid `fanfare.yaml`, in relation to the environment or the rest of the file. */
export interface FileMistake {
  /** The path of the mistake, for example `['defaults', 'social', 0]`. */
  readonly path: readonly (string | number)[];
  /** Whether the key is wrong, not its value. */
  readonly isKey?: boolean | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The name of an account that does not exist, and the known ones. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] } | undefined;
  /** Whether a variable with a secret is not set, and the file has no mistake. */
  readonly isSecretUnset?: boolean | undefined;
}

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

/** The platforms with a property, for example `Only X.` */
function only(has: (definition: AccountDefinition) => boolean | undefined): string {
  return `Only ${formatList(
    DEFINITIONS.filter(has).map(({ title }) => title),
    'and',
  )}.`;
}

const BILLED = only(({ budget }) => budget === 'money');

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

const serverId = plain().regex(/^\d{15,20}$/u, {
  error: 'the id of a server is a long number: turn on Developer Mode in Discord and copy the id',
});

const signInRole = plain().regex(/^(?:\d{15,20}|everyone|managers|administrators)$/u, {
  error: 'write the id of a role, everyone, managers or administrators',
});

const signInRoles = (about: string) =>
  z
    .union([z.array(signInRole), signInRole])
    .meta({
      description: `${about} Ids of roles, \`everyone\`, \`managers\` (Manage Server) or \`administrators\`.`,
      examples: [['1202584131993600003']],
    })
    .optional();

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
        month: usd(`The limit for a calendar month in UTC; absent: no limit. ${BILLED}`, '20 USD').optional(),
        page: usd(`The limit for one page of a composed read; absent: no composed reads. ${BILLED}`, '0.10 USD').optional(),
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
        language: language(
          `The default language of posts, for example \`de\`. ${only(({ postDefaults }) => postDefaults?.includes('language'))}`,
        ).optional(),
        visibility: z
          .enum(['public', 'unlisted', 'followers', 'direct'])
          .meta({
            description: `The default visibility of posts; absent: the setting of the account. ${only(({ postDefaults }) => postDefaults?.includes('visibility'))}`,
            examples: ['unlisted'],
          })
          .optional(),
        warning: plain()
          .meta({ description: 'The content warning of posts without one; absent: none.', examples: ['Horror games'] })
          .optional(),
        sensitive: z
          .boolean()
          .meta({ description: 'true: the files of posts are hidden until a click, unless a step sets `sensitive`.', examples: [true] })
          .optional(),
        requireDescription: z
          .boolean()
          .meta({ description: 'true: a post with a file without a description (`altText`) is refused.', examples: [true] })
          .optional(),
      }),
    )
    .meta({ description: 'The defaults of posts by account name.', examples: [{ mastodon: { language: 'de' } }] })
    .optional(),
  discord: z
    .strictObject({
      servers: z
        .enum(['any', 'listed'])
        .meta({
          description:
            'any: the bot serves each server that invites it, through the account discord, or without one through the first Discord account; absent: listed, so only servers with an account. On the sandbox without accounts, the bot serves each server.',
          examples: ['any'],
        })
        .optional(),
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
          all: quota(
            'The quota of all servers together for questions; absent: 500 per 1h if the bot serves every server, otherwise none.',
          ).optional(),
        })
        .meta({
          description: 'The quotas for questions to the assistant, also for those of commands of rules.',
          examples: [{ person: '20 per 1h' }],
        })
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
  signIn: z
    .strictObject({
      discord: z
        .strictObject({
          clientId: plain()
            .regex(/^\d{15,20}$/u, { error: 'the client id is a long number: copy it from the page OAuth2 of the application' })
            .meta({ description: 'The client id of the application.', examples: ['1202584131993600002'] }),
          servers: z
            .union([z.array(serverId).min(1), serverId])
            .meta({ description: 'The ids of the servers whose members may sign in.', examples: [['1202584131993600001']] }),
          viewer: signInRoles('Members who can read; absent: no one else.'),
          editor: signInRoles('Members who can also pause, run, resend, resolve and answer; absent: no one else.'),
          admin: signInRoles('Members who can do everything; absent: administrators.'),
        })
        .meta({
          description: 'The sign-in with Discord. It needs `DISCORD_CLIENT_SECRET`.',
          examples: [{ clientId: '1202584131993600002', servers: ['1202584131993600001'] }],
        })
        .optional(),
    })
    .meta({
      description: 'The sign-in to the page.',
      examples: [{ discord: { clientId: '1202584131993600002', servers: ['1202584131993600001'] } }],
    })
    .optional(),
  webhooks: z
    .record(z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/u, { error: 'use lower-case letters, digits, _ and -, as ops' }), WebhookForm)
    .meta({
      description: 'The receivers of events by name.',
      examples: [{ ops: { url: 'https://ops.example.org/fanfare', secret: '${OPS_WEBHOOK_SECRET}' } }],
    })
    .optional(),
};

/** The keys of an account in the file. The platform decides which there are. */
interface FileAccount {
  readonly platform: Platform;
  readonly [key: string]: unknown;
}

const forms = DEFINITIONS.map(({ form }) => form) as [z.ZodObject, ...z.ZodObject[]]; // there are platforms
const AnyForm = z.discriminatedUnion('platform', forms) as z.ZodType<unknown> as z.ZodType<FileAccount>; // the forms have the platforms

/** The schema of the file without the fields of its accounts. */
export const FileOutline = z.strictObject({
  accounts: z.record(z.string(), z.looseObject({ platform: z.enum(PLATFORMS) })).optional(),
  ...sections,
});

/** The schema of `fanfare.yaml`. */
export const FanfareFile = z.strictObject({
  accounts: z
    .record(z.string(), AnyForm)
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
