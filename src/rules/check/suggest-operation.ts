import { closestName, editSteps } from '#src/clients/operation/closest-name.ts';

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
  const names = [...known];
  const meant = meantOperation(verb, names);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const ofClient = names.filter((name) => name.startsWith(`${meantClient(verb)}.`));
  return ofClient.length > 0 ? `available: ${ofClient.toSorted().join(', ')}` : 'npx fanfare capabilities lists all operations';
}

/** The known operation with the most similar name; undefined if no name is similar. */
export function meantOperation(verb: string, known: Iterable<string>): string | undefined {
  // Of two names that are equally close, the one about users is meant more often than the one about games.
  const names = [...known].toSorted((a, b) => Number(b.includes('User')) - Number(a.includes('User')));
  const client = meantClient(verb);
  const [, method = ''] = verb.split('.');
  const sending = SENDING_NAMES.has(method.toLowerCase()) ? SENDING.get(client) : undefined;
  const creating = `${client}.create${method.slice(0, 1).toUpperCase()}${method.slice(1)}`;
  const exact = [sending, creating].find((name) => name !== undefined && names.includes(name));
  const meant = exact ?? closestOperation(client, method, names);
  return meant ?? names.find((name) => name.endsWith(`.${method}`));
}

/** The operation whose name is written without a dot, for example `getStreams` and `discord send`; undefined without one. */
export function operationNamed(text: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  const [first = '', second] = text.trim().split(/[^A-Za-z]+/u);
  const exact = names.find((name) => name.toLowerCase().endsWith(`.${first.toLowerCase()}`));
  if (exact !== undefined) return exact;
  return second === undefined || !/^[a-z]/iu.test(second) ? undefined : meantOperation(`${first.toLowerCase()}.${second}`, names);
}

function meantClient(verb: string): string {
  const [prefix = ''] = verb.split('.');
  return CLIENT_OF.get(prefix.toLowerCase()) ?? prefix;
}

function closestOperation(client: string, method: string, names: readonly string[]): string | undefined {
  const start = `${client}.`;
  const methods = names.flatMap((name) => (name.startsWith(start) ? name.slice(start.length) : []));
  if (methods.length === 0) return closestName(start + method, names);
  // The name of a client is long, so its methods are compared without it.
  const close = closestName(method, methods);
  const isMistyped = close !== undefined && editSteps(method, close) <= 2;
  const meant = isMistyped ? close : (withFewerWords(method, methods) ?? close);
  return meant && start + meant;
}

/** The longest method whose words all occur in a name, with the same last one: `getStreams` for `getUserStreams`. */
function withFewerWords(name: string, methods: readonly string[]): string | undefined {
  const words = wordsOf(name);
  const isPart = (method: string): boolean => {
    const its = wordsOf(method);
    return its.at(-1) === words.at(-1) && its.every((word) => words.includes(word));
  };
  return methods.filter(isPart).toSorted((a, b) => b.length - a.length)[0];
}

/** The words of a name, in the singular. */
function wordsOf(name: string): readonly string[] {
  return name.split(/(?=[A-Z])/u).map((word) => word.toLowerCase().replace(/s$/u, ''));
}
