import type { Journal } from '../../journal.ts';
import { scopedJournal } from '../../journal.ts';
import type { World } from '../../world/world.ts';
import type { Channel } from './channel.ts';
import { Guild } from './guild.ts';
import type { Member } from './members.ts';
import { FIRST_GUILD, SECOND_GUILD } from './plan.ts';

/** The guilds of the sandbox. */
export class Guilds {
  /** The default guild. */
  readonly first: Guild;
  readonly all: readonly Guild[];

  constructor({ journal, world }: { readonly journal: Journal; readonly world: World }) {
    this.first = new Guild({ journal, world, plan: FIRST_GUILD });
    this.all = [this.first, new Guild({ journal: scopedJournal(journal, SECOND_GUILD.id), world, plan: SECOND_GUILD })];
  }

  find(id: string): Guild | undefined {
    return this.all.find((guild) => guild.id === id);
  }

  /** Finds a guild by id or name. Case does not matter. */
  findNamed(name: string): Guild | undefined {
    return this.all.find((guild) => guild.id === name || guild.name.toLowerCase() === name.toLowerCase());
  }

  /** The guild of a channel, even if the channel was deleted. */
  of(channelId: string): Guild {
    return this.all.find(({ channels }) => channels.knows(channelId)) ?? this.first;
  }

  findChannel(id: string): Channel | undefined {
    return this.of(id).channels.find(id);
  }

  /** Finds a user among the members of all guilds. */
  findUser(id: string): Member | undefined {
    return this.all.flatMap(({ members }) => members.find(id) ?? [])[0];
  }
}
