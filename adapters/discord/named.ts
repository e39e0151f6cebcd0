import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { DiscordApi } from './api.ts';
import { missing } from './faults.ts';
import { listing } from './listing.ts';

const REQUIRES_TAG = 1 << 4;

const Named = z.object({
  id: z.string(),
  name: z.string(),
  type: z.int().optional(),
  parent_id: z.string().nullish(),
  flags: z.int().nullish(),
  available_tags: z.array(z.object({ id: z.string(), name: z.string() })).nullish(),
});

/** A channel or a role. */
export type Named = z.output<typeof Named>;

/** Whether a post in the channel needs a tag. */
export function requiresTag({ flags }: Named): boolean {
  return ((flags ?? 0) & REQUIRES_TAG) !== 0;
}

/** The channels or the roles of a server: fetched again after a minute, and where somebody asks for one that is not among them. */
export interface NamedThings {
  /** By name or id. */
  find(name: string, signal?: AbortSignal): Promise<Named | undefined>;
  /** By name or id; a `PlatformError` names those that there are. */
  require(name: string, signal?: AbortSignal): Promise<Named>;
  /** Lets go of what was fetched. */
  forget(): void;
}

export interface NamedThingsOptions {
  readonly api: DiscordApi;
  readonly path: `/${string}`;
  /** As `channel`. */
  readonly kind: string;
  /** What people write before such a name, as `#`. */
  readonly mark: string;
  /** Which of them can be meant; absent: all. */
  readonly isMeant?: ((thing: Named) => boolean) | undefined;
  readonly clock: Clock;
}

/** Finds channels or roles by what people call them. */
export function namedThings({ api, path, kind, mark, isMeant = () => true, clock }: NamedThingsOptions): NamedThings {
  const list = listing(async (signal) => (await api({ method: 'GET', path, answer: z.array(Named), signal })).filter(isMeant), { clock });

  function look(name: string, things: readonly Named[]): Named | undefined {
    const byId = things.find(({ id }) => id === name);
    if (byId) return byId;
    const bare = name.startsWith(mark) ? name.slice(mark.length) : name;
    const [first, second] = things.filter((thing) => thing.name === bare);
    if (second) throw missing(`The Discord server has more than one ${kind} "${name}": give its id instead.`);
    return first;
  }

  function thingsWith(name: string, signal: AbortSignal | undefined): Promise<readonly Named[]> {
    return list.get((known) => look(name, known) !== undefined, signal);
  }

  return {
    find: async (name, signal) => look(name, await thingsWith(name, signal)),

    async require(name, signal) {
      const things = await thingsWith(name, signal);
      const found = look(name, things);
      if (found) return found;
      const names = things.map((thing) => mark + thing.name).join(', ');
      throw missing(`The Discord server has no ${kind} "${name}" that the bot can see. It has: ${names || 'none'}.`);
    },

    forget: () => list.forget(),
  };
}
