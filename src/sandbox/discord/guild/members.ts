import type { World, WorldPerson } from '../../world/world.ts';
import { APPLICATION_ID, BOT_ROLE_ID, MODERATOR_ROLE_ID } from './identity.ts';

/** A member of the guild, and the account behind it. */
export interface Member {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string;
  readonly bot: boolean;
  readonly owner: boolean;
  readonly roleIds: readonly string[];
  readonly joinedAt: Date;
}

const MEMBERS = 8;
const MODERATORS = 2;
const FIRST_USER_ID = 794_354_201_395_200_000n;
const FOUNDED = Date.UTC(2024, 1, 1, 12);
const DAY_MS = 86_400_000;

const bot: Member = {
  userId: APPLICATION_ID,
  username: 'Fanfare',
  displayName: 'Fanfare',
  bot: true,
  owner: false,
  roleIds: [BOT_ROLE_ID],
  joinedAt: new Date(FOUNDED),
};

/** The bot, and the first few people of the world: the very first owns the guild, the first two moderate it. */
export class Members {
  readonly bot = bot;
  readonly #all: readonly Member[];

  constructor(world: World) {
    this.#all = [bot, ...world.people.slice(0, MEMBERS).map(toMember)];
  }

  all(): readonly Member[] {
    return this.#all;
  }

  find(userId: string): Member | undefined {
    return this.#all.find((member) => member.userId === userId);
  }

  /** By handle, whatever the case, or id. */
  findNamed(name: string): Member | undefined {
    const handle = name.replace(/^@/, '').toLowerCase();
    return this.#all.find((member) => member.username.toLowerCase() === handle || member.userId === name);
  }

  get owner(): Member {
    return this.#all.find(({ owner }) => owner) ?? bot;
  }
}

function toMember(person: WorldPerson, index: number): Member {
  return {
    userId: String(FIRST_USER_ID + BigInt(person.id)),
    username: person.handle,
    displayName: person.displayName,
    bot: false,
    owner: index === 0,
    roleIds: index < MODERATORS ? [MODERATOR_ROLE_ID] : [],
    joinedAt: new Date(FOUNDED + index * DAY_MS),
  };
}
