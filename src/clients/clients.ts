import { Conversations, type ConversationPlatform } from './assistant/conversations.ts';
import { Chat, type ChatPlatform } from './chat/chat.ts';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { Feed, type FeedPlatform } from './feed/feed.ts';
import { History, type HistoryPlatform } from './history/history.ts';
import type { AnyClient } from './operation/client.ts';
import type { Declared } from './operation/declared.ts';
import type { Providers } from './social/providers.ts';
import { SocialAsync, type SocialPlatform } from './social/social.ts';
import { Bot, type StreamingPlatform } from './streaming/bot.ts';
import { catalogue } from './catalogue.ts';

/** The adapters of all accounts. */
export interface Platforms {
  readonly streaming: readonly StreamingPlatform[];
  readonly social: readonly SocialPlatform[];
  readonly discord: readonly ChatPlatform[];
  readonly assistant?: readonly ConversationPlatform[] | undefined;
  readonly feed?: readonly FeedPlatform[] | undefined;
  readonly history?: readonly HistoryPlatform[] | undefined;
}

/** The client of each account. */
export interface Clients {
  readonly streaming: ReadonlyMap<string, Bot>;
  readonly social: ReadonlyMap<string, SocialAsync>;
  readonly discord: ReadonlyMap<string, Chat>;
  /** Whether the account of a rule is connected. */
  hasAccount(verb: string, account: string): boolean;
  /** The client and the declaration of `verb` through `account`. */
  operationOf(verb: string, account: string): { readonly client: AnyClient; readonly declared: Declared };
}

/** Creates the clients of `platforms`. Social clients use `providers` for operations that their platforms lack. */
export function createClients(platforms: Platforms, clock: Clock, providers: Providers = {}): Clients {
  const streaming = new Map(platforms.streaming.map((platform) => [platform.account, new Bot({ platform, clock })]));
  const social = new Map(platforms.social.map((platform) => [platform.account, new SocialAsync({ platform, clock, ...providers })]));
  const discord = new Map(platforms.discord.map((platform) => [platform.account, new Chat({ platform, clock })]));
  const assistant = new Map((platforms.assistant ?? []).map((platform) => [platform.account, new Conversations({ platform, clock })]));
  const feed = new Map((platforms.feed ?? []).map((platform) => [platform.account, new Feed({ platform, clock })]));
  const history = new Map((platforms.history ?? []).map((platform) => [platform.account, new History({ platform, clock })]));
  const all: Readonly<Record<string, ReadonlyMap<string, AnyClient>>> = { streaming, social, discord, assistant, feed, history };
  const clientOf = (verb: string, account: string): AnyClient | undefined => all[verb.split('.')[0] ?? '']?.get(account);

  return {
    streaming,
    social,
    discord,
    hasAccount: (verb, account) => clientOf(verb, account) !== undefined,
    operationOf(verb, account) {
      const client = clientOf(verb, account);
      const declared = catalogue.get(verb);
      if (!client || !declared) {
        // Another process on the same database may have them, and sends what this one could not.
        const message = `${verb} is not available through ${account} in this process: nothing was sent. Connect the account, or start the newest version of Fanfare.`;
        throw new PlatformError(message, { platform: account, fault: 'unreachable' });
      }
      return { client, declared };
    },
  };
}
