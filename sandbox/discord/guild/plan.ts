import { GUILD_ID, SECOND_GUILD_ID } from '../identity.ts';
import type { Channel } from './channel.ts';

interface PlannedChannel {
  readonly name: string;
  readonly topic: string;
  readonly kind?: Channel['kind'];
  /** Only moderators and the bot see a hidden channel. */
  readonly hidden?: boolean;
  readonly tags?: Channel['tags'];
  readonly requiresTag?: boolean;
}

/** The initial guild, which is the same in every sandbox. */
export interface GuildPlan {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  /** `there`: the bot is a member. `invited`: the first request of the bot adds it. */
  readonly bot: 'there' | 'invited';
  /** When the bot joined; absent: when the guild was founded. */
  readonly joinedMs?: number | undefined;
  readonly roleIds: { readonly moderator: string; readonly bot: string; readonly live: string };
  /** The channel where Discord greets members. Default: `general`. */
  readonly systemChannel?: string | undefined;
  /** The id of the first channel. The ids of the others follow. */
  readonly firstChannelId: bigint;
  readonly channels: readonly PlannedChannel[];
  /** Indexes of people of the world. The first person owns the guild; the first two are moderators. */
  readonly people: readonly number[];
}

/** The guild in Fanfare's default configuration. */
export const FIRST_GUILD: GuildPlan = {
  id: GUILD_ID,
  name: 'Fanfare Sandbox',
  locale: 'en-US',
  bot: 'there',
  roleIds: { moderator: '1202584131993600003', bot: '1202584131993600004', live: '1202584131993600005' },
  firstChannelId: 1_202_584_131_993_600_010n,
  people: [0, 1, 2, 3, 4, 5, 6, 7],
  channels: [
    { name: 'stream-news', topic: 'Who enters the top five' },
    { name: 'live', topic: 'Who is live right now' },
    { name: 'general', topic: 'Talk, and ask the bot' },
    { name: 'moderators', topic: 'Only for moderators', hidden: true },
    { name: 'valorant', topic: 'All things VALORANT' },
    { name: 'puzzles', topic: '2048 and similar games' },
    { name: 'announcements', topic: 'Also for other servers', kind: 'news' },
    { name: 'guides', topic: 'One thread per question', kind: 'forum' },
    {
      name: 'questions',
      topic: 'With a tag, please',
      kind: 'forum',
      requiresTag: true,
      tags: [
        { id: '1202584131993600020', name: 'Open', moderated: false },
        { id: '1202584131993600021', name: 'Solved', moderated: false },
        { id: '1202584131993600022', name: 'Official', moderated: true },
      ],
    },
    { name: 'gallery', topic: 'Pictures', kind: 'media' },
    { name: 'lounge', topic: 'Talk while you play', kind: 'voice' },
  ],
};

/** A second guild for the same bot. It is invisible until the bot requests it. It shares names with the first guild, but has other moderators. */
export const SECOND_GUILD: GuildPlan = {
  id: SECOND_GUILD_ID,
  name: 'Berlin Sandbox',
  locale: 'de',
  bot: 'invited',
  roleIds: { moderator: '1202584131997794306', bot: '1202584131997794307', live: '1202584131997794308' },
  firstChannelId: 1_202_584_131_997_794_310n,
  people: [2, 3, 0, 1, 8],
  channels: [
    { name: 'stream-news', topic: 'Wer in die Top 5 kommt' },
    { name: 'live', topic: 'Wer gerade live ist' },
    { name: 'general', topic: 'Reden, auch mit dem Bot' },
    { name: 'moderators', topic: 'Nur für Moderatoren', hidden: true },
    { name: 'guides', topic: 'Ein Thread pro Frage', kind: 'forum' },
  ],
};

/** How many ids after its own belong to the roles and channels of a new guild. */
export const PARTS_OF_NEW = 31n;

/** A guild that a person creates while the sandbox runs. The person owns it; the others join. */
export function planOfNew({
  id,
  name,
  locale,
  people,
  joinedMs,
}: Pick<GuildPlan, 'id' | 'name' | 'locale' | 'people' | 'joinedMs'>): GuildPlan {
  const part = (place: bigint): string => String(BigInt(id) + place);
  return {
    id,
    name,
    locale,
    bot: 'there',
    joinedMs,
    roleIds: { moderator: part(1n), bot: part(2n), live: part(3n) },
    firstChannelId: BigInt(part(10n)),
    people,
    channels: [
      { name: 'general', topic: 'Talk, and ask the bot' },
      { name: 'live', topic: 'Who is live right now' },
      { name: 'stream-alerts', topic: 'Problems of the bot', hidden: true },
    ],
  };
}
