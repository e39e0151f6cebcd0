import { GUILD_ID, SECOND_GUILD_ID } from './identity.ts';
import type { Channel } from './channel.ts';

/** A channel before anybody wrote in it. */
interface PlannedChannel {
  readonly name: string;
  readonly topic: string;
  readonly kind?: Channel['kind'];
  /** Whether only moderators and the bot see it. */
  readonly hidden?: boolean;
  readonly tags?: Channel['tags'];
  readonly requiresTag?: boolean;
}

/** The initial guild, which is the same in every sandbox. */
export interface GuildPlan {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  /** Whether the bot is in it from the beginning, or comes in when it first asks for it. */
  readonly bot: 'there' | 'invited';
  readonly roleIds: { readonly moderator: string; readonly bot: string; readonly live: string };
  /** Of the first channel; the others follow. */
  readonly firstChannelId: bigint;
  readonly channels: readonly PlannedChannel[];
  /** Its people by their place in the world: the first owns the guild, the first two moderate it. */
  readonly people: readonly number[];
}

/** Where Fanfare is at home by itself. */
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
    { name: 'moderators', topic: 'Not for everyone', hidden: true },
    { name: 'valorant', topic: 'All things VALORANT' },
    { name: 'puzzles', topic: '2048 and its kin' },
    { name: 'announcements', topic: 'For other servers, too', kind: 'news' },
    { name: 'guides', topic: 'One thread a question', kind: 'forum' },
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

/** One more for the same bot, of which nobody hears who does not ask for it: some of its channels and roles have the names of the first, and who leads that one leads nothing here. */
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
    { name: 'moderators', topic: 'Nicht für alle', hidden: true },
    { name: 'guides', topic: 'Ein Thread je Frage', kind: 'forum' },
  ],
};
