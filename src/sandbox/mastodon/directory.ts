import { createDice, pick } from '../world/dice.ts';
import { regulars } from '../world/content/regulars.ts';
import type { WorldPerson } from '../world/world.ts';
import { SELF, type People } from '../social/people.ts';

const REMOTE_SHARE = 0.2;
const ELSEWHERE = ['streams.example', 'play.example', 'arcade.example'] as const;

/** Who is called what: some people of the world have their accounts on other servers. */
export interface Directory {
  /** Undefined for those of this server. */
  domainOf(person: WorldPerson): string | undefined;
  /** As `ada`, or `mira@streams.example` for somebody elsewhere. */
  acctOf(person: WorldPerson): string;
  /** Where a person reads what they write. */
  addressOf(person: WorldPerson): string;
  /** What names them among servers. */
  uriOf(person: WorldPerson): string;
  /** By a name as a text or a search has it, with or without a server. */
  find(name: { readonly username: string; readonly domain: string | undefined }): WorldPerson | undefined;
  /** By what {@link acctOf} says, with or without `@` in front. */
  findAcct(acct: string): WorldPerson | undefined;
}

export interface DirectoryOptions {
  readonly people: People;
  /** Where the server stands, as `http://127.0.0.1:8081/mastodon`. */
  readonly home: () => string;
}

/** The names of a world's people. Those whom tests and examples know by name are all here. */
export function directoryOf({ people, home }: DirectoryOptions): Directory {
  const named = new Set([SELF.handle, ...regulars.map(({ displayName }) => displayName.toLowerCase())]);
  const dice = createDice(0, 'mastodon servers');
  const domains = new Map<string, string>();
  for (const { id, handle } of people.others) {
    if (!named.has(handle) && dice(Number(id)) < REMOTE_SHARE) domains.set(id, pick(ELSEWHERE, dice(Number(id), 1)));
  }

  const domainOf = ({ id }: WorldPerson): string | undefined => domains.get(id);

  function find({ username, domain }: { readonly username: string; readonly domain: string | undefined }): WorldPerson | undefined {
    const person = people.find(username);
    const there = domain === undefined || domain.toLowerCase() === ownDomain(home()) ? undefined : domain.toLowerCase();
    return person && person.handle === username.toLowerCase() && domainOf(person) === there ? person : undefined;
  }

  return {
    domainOf,
    acctOf: (person) => (domainOf(person) === undefined ? person.handle : `${person.handle}@${domainOf(person)}`),
    addressOf: (person) => `${rootOf(person)}/@${person.handle}`,
    uriOf: (person) => `${rootOf(person)}/users/${person.handle}`,
    find,
    findAcct(acct) {
      const [, username = '', domain] = /^@?([^@]+)(?:@(.+))?$/.exec(acct.trim()) ?? [];
      return find({ username, domain });
    },
  };

  function rootOf(person: WorldPerson): string {
    const domain = domainOf(person);
    return domain === undefined ? home() : `https://${domain}`;
  }
}

/** The server's name among servers. */
export function ownDomain(home: string): string {
  return new URL(home).host;
}
