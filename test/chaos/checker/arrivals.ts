import { z } from 'zod';
import type { ChaosAccount } from '../history.ts';

/** A message or a post as a platform has it. */
export interface Arrival {
  readonly account: string;
  readonly id: string;
  /** Its texts, oldest first. */
  readonly versions: readonly { readonly text: string; readonly atMs: number }[];
  readonly replyTo?: string | undefined;
  readonly deletedAtMs?: number | undefined;
}

const instant = z.coerce.date().transform((date) => date.getTime());
const Version = z.object({ content: z.string(), writtenAt: instant });

export const Messages = z.array(
  Version.extend({
    id: z.string(),
    guild: z.string(),
    author: z.string(),
    history: z.array(Version),
    components: z.array(z.unknown()).optional(),
    deletedAt: instant.optional(),
  }),
);
export const Posts = z.array(
  z.object({
    id: z.string(),
    text: z.string(),
    author: z.string(),
    createdAt: instant,
    replyTo: z.string().optional(),
    deletedAt: instant.optional(),
  }),
);
/** Records of Bluesky. */
export const SkyPosts = z.array(
  z.object({
    uri: z.string(),
    text: z.string(),
    author: z.string(),
    record: z.object({ createdAt: instant, reply: z.object({ parent: z.object({ uri: z.string() }) }).optional() }),
  }),
);

export interface Snapshot {
  readonly takenAtMs: number;
  readonly messages: z.output<typeof Messages>;
  /** By platform. */
  readonly posts: Readonly<Partial<Record<Exclude<ChaosAccount['platform'], 'discord' | 'bluesky'>, z.output<typeof Posts>>>>;
  readonly skyPosts: z.output<typeof SkyPosts>;
}

const BOT = 'Fanfare';

/** Everything that Fanfare wrote to the platforms, in the order of each platform. */
export function arrivalsIn({ messages, posts, skyPosts }: Snapshot, accounts: readonly ChaosAccount[]): readonly Arrival[] {
  const nameOf = (platform: ChaosAccount['platform'], owner: string): string | undefined =>
    accounts.find((account) => account.platform === platform && account.owner === owner)?.name;

  function* found(): Generator<Omit<Arrival, 'account'> & { readonly account: string | undefined }> {
    for (const { id, guild, author, history, content, components = [], writtenAt, deletedAt } of messages) {
      // The greeting of a server that the bot joins has a layout and no text; rules write texts.
      const isGreeting = content === '' && components.length > 0;
      if (author !== BOT || isGreeting) continue;
      const versions = [...history, { content, writtenAt }].map((one) => ({ text: one.content, atMs: one.writtenAt }));
      yield { account: nameOf('discord', guild), id, versions, deletedAtMs: deletedAt };
    }
    for (const platform of ['social', 'mastodon', 'x'] as const) {
      for (const { id, author, text, createdAt, replyTo, deletedAt } of posts[platform] ?? []) {
        yield { account: nameOf(platform, author), id, versions: [{ text, atMs: createdAt }], replyTo, deletedAtMs: deletedAt };
      }
    }
    for (const { uri, author, text, record } of skyPosts) {
      const versions = [{ text, atMs: record.createdAt }];
      yield { account: nameOf('bluesky', author), id: uri, versions, replyTo: record.reply?.parent.uri };
    }
  }
  // Other people of the world also write.
  return [...found()].flatMap(({ account, ...arrival }) => (account === undefined ? [] : [{ account, ...arrival }]));
}

/** The content of a text that the rules of a chaos run send. */
export interface Announcement {
  readonly what: 'opened' | 'closed' | 'titled' | 'ran';
  readonly rule: string;
  /** The handle of the person; for `ran`, the slot. */
  readonly item: string;
  readonly stream: string;
  readonly title: string;
}

const TEXT = /^(?:@\S+ )*(opened|closed|titled|ran) (\S+) (\S+)(?: (\d+))?(?: (t\d+))?$/;

/** Reads a text; undefined: no rule of a chaos run sends such a text. */
export function readAnnouncement(text: string): Announcement | undefined {
  const [, what, rule, item, stream = '', title = ''] = TEXT.exec(text) ?? [];
  if (rule === undefined || item === undefined) return undefined;
  return { what: what as Announcement['what'], rule, item, stream, title }; // the pattern has these words only
}
