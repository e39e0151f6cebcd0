import { accountsOn, SOCIAL_PLATFORMS, type Account, type Platform } from './accounts.ts';
import type { FanfareFile } from './file-form.ts';
import type { FileMistake } from './file-mistake.ts';

/** The first word of verbs, by which rules know a kind of account. */
export type ClientName = 'streaming' | 'social' | 'discord' | 'assistant';

/** Which platforms can do the verbs of a client. */
const PLATFORMS_OF: Readonly<Record<ClientName, readonly Platform[]>> = {
  streaming: ['twitch', 'kick'],
  social: SOCIAL_PLATFORMS,
  discord: ['discord'],
  assistant: ['assistant'],
};

/** Those that the sandbox plays where there is no account: of social platforms its own alone. */
const PLAYED: Readonly<Record<ClientName, readonly Platform[]>> = { ...PLATFORMS_OF, social: ['sandbox'] };

/** The accounts that rules mean which name none; of a client that is not there, nobody said. */
export type Defaults = Readonly<Partial<Record<ClientName, readonly string[]>>>;

/** The names of the accounts of a client; `isPlayed`: the sandbox plays one of each platform. */
export function namesFor(
  client: ClientName,
  { accounts, isPlayed }: { readonly accounts: readonly Account[]; readonly isPlayed: boolean },
) {
  return isPlayed
    ? PLAYED[client]
    : PLATFORMS_OF[client].flatMap((platform) => accountsOn(platform, accounts).map(({ account }) => account));
}

/** The defaults in the file; of names that no account has, `onMistake` is told. */
export function readDefaults(
  { defaults = {} }: FanfareFile,
  {
    namesOf,
    onMistake,
  }: { readonly namesOf: (client: ClientName) => readonly string[]; readonly onMistake: (mistake: FileMistake) => void },
): Defaults {
  const read = (client: ClientName): readonly string[] | undefined => {
    const written = defaults[client];
    const named = written === undefined ? undefined : [written].flat();
    const known = namesOf(client);
    for (const [index, name] of (named ?? []).entries()) {
      if (known.includes(name)) continue;
      const path = ['defaults', client, ...(Array.isArray(written) ? [index] : [])];
      onMistake({ path, message: `there is no account ${name} for ${client}`, unknown: { name, known } });
    }
    return named;
  };
  const clients = Object.keys(PLATFORMS_OF) as ClientName[]; // the keys of a literal
  return Object.fromEntries(
    clients.flatMap((client) => {
      const named = read(client);
      return named ? [[client, named]] : [];
    }),
  );
}
