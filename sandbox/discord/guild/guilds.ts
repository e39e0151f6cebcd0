import { z } from 'zod';
import { scopedJournal, type Journal } from '../../journal.ts';
import type { World } from '../../world/world.ts';
import type { Channel } from './channel.ts';
import { Guild } from './guild.ts';
import type { Member } from './members.ts';
import { FIRST_GUILD, planOfNew, SECOND_GUILD, type GuildPlan } from './plan.ts';

const COLLECTION = 'discord.guilds';

const Created = z.object({ id: z.string(), name: z.string(), locale: z.string(), people: z.array(z.int()), joinedMs: z.number() });
type Created = z.output<typeof Created>;

/** The guilds of the sandbox. */
export class Guilds {
  /** The default guild. */
  readonly first: Guild;
  readonly #journal: Journal;
  readonly #world: World;
  readonly #byId = new Map<string, Guild>();

  constructor({ journal, world }: { readonly journal: Journal; readonly world: World }) {
    this.#journal = journal;
    this.#world = world;
    this.first = new Guild({ journal, world, plan: FIRST_GUILD });
    this.#byId.set(this.first.id, this.first);
    this.#add(SECOND_GUILD);
    for (const document of journal.all(COLLECTION)) this.#add(planOfNew(Created.parse(document)));
  }

  get all(): readonly Guild[] {
    return [...this.#byId.values()];
  }

  /** Creates a guild with the bot. */
  create(created: Created): Guild {
    this.#journal.put(COLLECTION, created.id, created);
    return this.#add(planOfNew(created));
  }

  find(id: string): Guild | undefined {
    return this.#byId.get(id);
  }

  /** Finds a guild by id or name. Case does not matter. */
  findNamed(name: string): Guild | undefined {
    return this.find(name) ?? this.all.find((guild) => guild.name.toLowerCase() === name.toLowerCase());
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

  #add(plan: GuildPlan): Guild {
    const guild = new Guild({ journal: scopedJournal(this.#journal, plan.id), world: this.#world, plan });
    this.#byId.set(plan.id, guild);
    return guild;
  }
}
