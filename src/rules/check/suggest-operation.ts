import { closestName } from '#src/clients/operation/closest-name.ts';

/** Names of platforms and formats that users write in the place of a client. */
const CLIENT_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    twitch: 'streaming',
    kick: 'streaming',
    youtube: 'streaming',
    stream: 'streaming',
    x: 'social',
    twitter: 'social',
    bluesky: 'social',
    mastodon: 'social',
    rss: 'feed',
    atom: 'feed',
    blog: 'feed',
  }),
);

/** The operation of a client that sends something new, and the names that other tools have for it. */
const SENDING: ReadonlyMap<string, string> = new Map([
  ['discord', 'discord.send'],
  ['social', 'social.createPost'],
]);
const SENDING_NAMES: ReadonlySet<string> = new Set(
  'create createmessage directmessage dm message notify ping post publish reply say send sendmessage toot tweet write'.split(' '),
);

/** The hint for an unknown operation: the operation that was probably meant, else all of its client. */
export function operationHint(verb: string, known: Iterable<string>): string {
  // Of two names that are equally close, the one about users is meant more often than the one about games.
  const names = [...known].toSorted((a, b) => Number(b.includes('User')) - Number(a.includes('User')));
  const [prefix = '', method = ''] = verb.split('.');
  const client = CLIENT_OF.get(prefix.toLowerCase()) ?? prefix;
  const ofClient = names.filter((name) => name.startsWith(`${client}.`));
  const sending = SENDING_NAMES.has(method.toLowerCase()) ? SENDING.get(client) : undefined;
  const meant = sending !== undefined && ofClient.includes(sending) ? sending : closestOperation(client, method, names);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const sameMethod = names.find((name) => name.endsWith(`.${method}`));
  if (sameMethod !== undefined) return `did you mean ${sameMethod}?`;
  return ofClient.length > 0 ? `available: ${ofClient.toSorted().join(', ')}` : 'fanfare capabilities lists all operations';
}

function closestOperation(client: string, method: string, names: readonly string[]): string | undefined {
  const start = `${client}.`;
  const methods = names.flatMap((name) => (name.startsWith(start) ? name.slice(start.length) : []));
  if (methods.length === 0) return closestName(start + method, names);
  // The name of a client is long, so its methods are compared without it.
  const close = closestName(method, methods);
  return close && start + close;
}
