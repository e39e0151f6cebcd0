import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import type { World, WorldPerson } from '../../world/world.ts';
import { APPLICATION_ID } from '../identity.ts';
import type { GuildPlan } from './plan.ts';

/** A member of a guild, and the account behind it. */
export interface Member {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly bot: boolean;
  readonly owner: boolean;
  readonly roleIds: readonly string[];
  readonly joinedAt: Date;
}

/** What Discord shows of a member besides the profile, while the sandbox runs. */
export interface MemberState {
  readonly status: 'online' | 'idle' | 'dnd' | 'offline';
  /** The voice channel; absent: none. */
  readonly voice?: { readonly channelId: string; readonly streaming: boolean } | undefined;
}

const COLLECTION = 'discord.members';

const StoredRoles = z.object({ roleIds: z.array(z.string()).readonly() });

const MODERATORS = 2;
const FIRST_USER_ID = 794_354_201_395_200_000n;
const FOUNDED = Date.UTC(2024, 1, 1, 12);
const DAY_MS = 86_400_000;

/** The members: the bot and some people of the world. The journal stores changed roles. */
export class Members {
  readonly bot: Member;
  readonly #journal: Journal;
  readonly #states = new Map<string, MemberState>();
  #all: readonly Member[];

  constructor({ journal, world, plan }: { readonly journal: Journal; readonly world: World; readonly plan: GuildPlan }) {
    this.#journal = journal;
    this.bot = {
      userId: APPLICATION_ID,
      username: 'Fanfare',
      displayName: 'Fanfare',
      bot: true,
      owner: false,
      roleIds: [plan.roleIds.bot],
      joinedAt: new Date(FOUNDED),
    };
    const people = plan.people.flatMap((place) => world.people[place] ?? []);
    this.#all = [this.bot, ...people.map((person, index) => toMember(person, index, plan))].map((member) => {
      const stored = journal.get(COLLECTION, member.userId);
      return stored === undefined ? member : { ...member, ...StoredRoles.parse(stored) };
    });
  }

  all(): readonly Member[] {
    return this.#all;
  }

  find(userId: string): Member | undefined {
    return this.#all.find((member) => member.userId === userId);
  }

  stateOf({ userId }: Pick<Member, 'userId'>): MemberState {
    return this.#states.get(userId) ?? { status: 'offline' };
  }

  setState({ userId }: Pick<Member, 'userId'>, state: MemberState): void {
    this.#states.set(userId, state);
  }

  /** Replaces the roles of a member. */
  setRoles({ userId }: Member, roleIds: readonly string[]): Member | undefined {
    this.#journal.put(COLLECTION, userId, { roleIds });
    this.#all = this.#all.map((member) => (member.userId === userId ? { ...member, roleIds } : member));
    return this.find(userId);
  }

  /** Finds a member by handle or id. Case does not matter. */
  findNamed(name: string): Member | undefined {
    const handle = name.replace(/^@/, '').toLowerCase();
    return this.#all.find((member) => member.username.toLowerCase() === handle || member.userId === name);
  }

  get owner(): Member {
    return this.#all.find(({ owner }) => owner) ?? this.bot;
  }
}

function toMember(person: WorldPerson, index: number, { roleIds }: GuildPlan): Member {
  return {
    userId: String(FIRST_USER_ID + BigInt(person.id)),
    username: person.handle,
    displayName: person.displayName,
    bot: false,
    owner: index === 0,
    roleIds: index < MODERATORS ? [roleIds.moderator] : [],
    joinedAt: new Date(FOUNDED + index * DAY_MS),
  };
}
