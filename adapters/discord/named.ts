import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { DiscordApi } from './api.ts';
import { missing } from './faults.ts';

const REQUIRES_TAG = 1 << 4;
/** How old what a name means may be: what it meant may be called otherwise, and something else so. */
export const FRESH_MS = 60_000;

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
  let known: readonly Named[] = [];
  let freshUntilMs = 0;

  function look(name: string): Named | undefined {
    const byId = known.find(({ id }) => id === name);
    if (byId) return byId;
    const bare = name.startsWith(mark) ? name.slice(mark.length) : name;
    const [first, second] = known.filter((thing) => thing.name === bare);
    if (second) throw missing(`The Discord server has more than one ${kind} "${name}": give its id instead.`);
    return first;
  }

  async function find(name: string, signal?: AbortSignal): Promise<Named | undefined> {
    const found = clock.nowMs() < freshUntilMs ? look(name) : undefined;
    if (found) return found;
    known = (await api({ method: 'GET', path, answer: z.array(Named), signal })).filter(isMeant);
    freshUntilMs = clock.nowMs() + FRESH_MS;
    return look(name);
  }

  return {
    find,

    async require(name, signal) {
      const found = await find(name, signal);
      if (found) return found;
      const names = known.map((thing) => mark + thing.name).join(', ');
      throw missing(`The Discord server has no ${kind} "${name}" that the bot can see. It has: ${names || 'none'}.`);
    },

    forget() {
      known = [];
    },
  };
}
