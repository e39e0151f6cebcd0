import type { Declared } from './declared.ts';

/** Every operation that YAML can name, by its verb, as `social.createPost`. */
export type Catalogue = ReadonlyMap<string, Declared>;

type Topic = Readonly<Record<string, { readonly declared: unknown }>>;

/** Lists the operations of clients by verb: `streaming.` and the operation's name. */
export function catalogueOf(clients: Readonly<Record<string, readonly Topic[]>>): Catalogue {
  const verbs = new Map<string, Declared>();
  for (const [client, topics] of Object.entries(clients)) {
    for (const { declared } of topics.flatMap((topic) => Object.values(topic))) {
      const known = declared as Declared; // a topic exports operations only: withOperations() would not compile otherwise
      verbs.set(`${client}.${known.name}`, known);
    }
  }
  return verbs;
}
