import { PlatformError, type Fault } from '#src/errors.ts';
import type { Channel } from '../channels.ts';
import { firstMessage, tagIds } from '../operations/forum-posts.ts';
import { EVERYONE } from '../channels.ts';
import { requireRoles, toMentions, type Server } from '../server.ts';
import type { Doctor } from './doctor.ts';
import type { Permission } from './permission.ts';

/** Faults that do not pass without a change. */
const LASTING: readonly Fault[] = ['missing', 'rejected', 'forbidden'];

/** The posts of a forum that are read to see whether Discord withholds their messages. */
const MOST_POSTS = 5;

/** The use of a channel, a role or the list of members by a rule. */
export type Wish = ChannelWish | RoleWish | MembersWish;

/** The members that a rule reads. */
interface MembersWish {
  /** Their role; undefined: all members. */
  readonly membersOf: string | undefined;
  /** Whether the rule reads their status. */
  readonly readsStatus?: boolean | undefined;
}

/** A role that a rule adds or removes. */
interface RoleWish {
  readonly role: string;
}

/** The actions that a rule needs in a channel. */
export interface ChannelWish {
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly needs: readonly Permission[];
  readonly tags?: readonly string[] | undefined;
  /** The roles and members that a message pings. */
  readonly mentions?: readonly string[] | undefined;
  /** Whether the rule creates messages. In a forum, a new message is a post. */
  readonly writes: boolean;
  /** The question that the rule asks in the channel. */
  readonly question?: { /** The roles that may answer. */ readonly roles: readonly string[] | undefined } | undefined;
}

/** Checks the actions of a rule against the current channels, roles and tags. */
export function examining(
  server: Pick<Server, 'api' | 'channels' | 'roles' | 'history'>,
  {
    examine,
    examineRole,
    examineMembers,
    examinePresence,
    examineContent,
    seenByEveryone,
  }: Pick<Doctor, 'examine' | 'examineRole' | 'examineMembers' | 'examinePresence' | 'examineContent' | 'seenByEveryone'>,
): (wish: Wish, signal?: AbortSignal) => Promise<string | undefined> {
  const { api, channels, roles, history } = server;

  /** Whether Discord withholds one of the latest messages. */
  async function isWithheld({ id, forum }: Channel, signal: AbortSignal | undefined): Promise<boolean> {
    if (!forum) return (await history.readablePage(id, { signal })).rows.some((message) => message.isWithheld);
    const posts = (await channels.threadsOf(id, signal)).slice(0, MOST_POSTS);
    const messages = await Promise.all(posts.map((post) => firstMessage({ api }, post, signal)));
    return messages.some((message) => message?.isWithheld);
  }

  return (wish, signal) =>
    problemOf(async () => {
      if ('role' in wish) {
        roles.forget();
        return examineRole((await roles.require(wish.role, signal)).id, signal);
      }
      if ('membersOf' in wish) {
        roles.forget();
        if (wish.membersOf !== undefined) await roles.require(wish.membersOf, signal);
        return (await examineMembers(signal)) ?? (wish.readsStatus ? examinePresence(signal) : undefined);
      }
      const { channel, thread, needs, tags, mentions, writes, question } = wish;
      // Cached channels and roles may be outdated.
      channels.forget();
      roles.forget();
      const target = await channels.forMessage(channel, { thread, signal });
      if (target.forum && writes) tagIds(target, tags);
      // Creating a forum post needs only Send Messages.
      const meant = needs.map((need) => (target.forum && need === 'Create Public Threads' ? 'Send Messages' : need));
      const lacking = await examine(target.id, meant, signal);
      if (lacking !== undefined) return lacking;
      if (!writes) return (await isWithheld(target, signal)) ? examineContent(signal) : undefined;
      await toMentions(mentions, roles, signal);
      if (!question || question.roles?.includes(EVERYONE)) return undefined;
      await requireRoles(question.roles, roles, signal);
      const shown = await seenByEveryone(target.id, signal);
      return shown && publicQuestion(shown, question.roles);
    });
}

/** The result of a check, or the message of an error that does not pass without a change. */
async function problemOf(check: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof PlatformError && !error.refusesAccount && LASTING.includes(error.fault)) return error.message;
    throw error;
  }
}

function publicQuestion(channel: string, roles: readonly string[] | undefined): string {
  const who = roles ? `the roles ${roles.map((role) => `"${role}"`).join(', ')}` : 'the permission operate';
  return (
    `Everyone in the server sees ${channel}, in which a rule asks a question, but only members with ${who} can answer. ` +
    'Hide the channel from @everyone, choose another channel, or let all members answer with roles: ["@everyone"].'
  );
}
