import { z } from 'zod';
import { ACCOUNT_FORMS } from './account-forms.ts';
import { PLATFORMS } from './accounts.ts';
import { language, plain, zone } from './file-fields.ts';

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

/** The file but for what stands in its accounts, which their platforms say. */
export const FileOutline = z.strictObject({
  accounts: z.record(z.string(), z.looseObject({ platform: z.enum(PLATFORMS) })).optional(),
  ...sections,
});

/** `fanfare.yaml`, as it is written. */
export const FanfareFile = z.strictObject({
  accounts: z
    .record(z.string(), z.discriminatedUnion('platform', [twitch, kick, x, bluesky, mastodon, discord, assistant, sandbox]))
    .describe('More accounts than the environment opens, by the names by which rules know them.')
    .optional(),
  ...sections,
});
export type FanfareFile = z.output<typeof FanfareFile>;
