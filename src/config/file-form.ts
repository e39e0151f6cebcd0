import { z } from 'zod';
import { PLATFORMS } from './accounts.ts';

/** A secret in the file: the variable of the environment that holds it. */
export const SECRET = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/u;

const secret = (about: string) =>
  z
    .string()
    .regex(SECRET, { error: 'secrets stand in the environment, not in this file: write ${NAME} here, and NAME=… into .env' })
    .describe(about);

const plain = () =>
  z
    .string()
    .min(1)
    .refine((text) => !text.includes('${'), { error: 'only secrets come out of the environment: write it as it is', abort: true });

const address = (about: string) =>
  plain().refine(isAddress, { error: 'an address that begins with http:// or https:// is wanted' }).describe(about);

const zone = (about: string) => plain().refine(isZone, { error: 'there is no such time zone: write it as Europe/Berlin' }).describe(about);

const someOf = (about: string) => z.union([plain(), z.array(plain())]).describe(about);

const app = {
  clientId: plain().describe('The id of the application.'),
  clientSecret: secret('Its secret.'),
};

/** What stands in an account, by its platform. */
export const ACCOUNT_FORMS = {
  twitch: z.strictObject({ platform: z.literal('twitch'), ...app }),
  kick: z.strictObject({ platform: z.literal('kick'), ...app }),
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

const quota = (about: string) =>
  plain()
    .regex(/^[1-9]\d{0,5} per [1-9]\d{0,3}[mhd]$/u, { error: 'so many in so long are written as 20 per 1h' })
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

const { twitch, kick, discord, assistant, sandbox } = ACCOUNT_FORMS;

/** The file but for what stands in its accounts, which their platforms say. */
export const FileOutline = z.strictObject({
  accounts: z.record(z.string(), z.looseObject({ platform: z.enum(PLATFORMS) })).optional(),
  ...sections,
});

/** `fanfare.yaml`, as it is written. */
export const FanfareFile = z.strictObject({
  accounts: z
    .record(z.string(), z.discriminatedUnion('platform', [twitch, kick, discord, assistant, sandbox]))
    .describe('More accounts than the environment opens, by the names by which rules know them.')
    .optional(),
  ...sections,
});
export type FanfareFile = z.output<typeof FanfareFile>;

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
