import type { z } from 'zod';

/**
 * The meaning of an item that is missing from a result:
 * - `live`: it has ended;
 * - `ranking`: its rank is below the read part;
 * - `feed`: nothing;
 * - `set`: it was removed, if the whole list was read;
 * - `one`: the result is one record.
 */
export type Watch = 'live' | 'ranking' | 'feed' | 'set' | 'one';

/** Whether a write creates a record each time, or sets a state that a repeat does not change. */
export type Effect = 'creates' | 'sets';

/**
 * Who reads the content of a write: `everyone`; the audience of a `post`; the recipients of a `message`; the readers of a `list`, which may
 * be private. Absent: the write has no content, for example a reaction, or nobody else reads it, for example a question to the assistant.
 */
export type Publication = 'everyone' | 'post' | 'message' | 'list';

/** A read operation with one answer. */
export interface DeclaredRead<P = unknown, R = unknown> {
  readonly kind: 'read';
  readonly name: string;
  /** How rules watch the result: as one record or as a list. */
  readonly watch?: 'one' | 'ranking' | undefined;
  /** A step of `while` reads again only if its parameters change, because each call costs. Absent: at each poll. */
  readonly rereads?: 'onChange' | undefined;
  readonly params: z.ZodType<P>;
  readonly returns: z.ZodType<R>;
}

/** A write operation. */
export interface DeclaredWrite<P = unknown, R = unknown> {
  readonly kind: 'write';
  readonly name: string;
  readonly effect: Effect;
  readonly publishes?: Publication | undefined;
  /** A person answers later. The call returns the question. */
  readonly answered?: 'later' | undefined;
  /** What it answers: the use of a slash command, which the rule has as `command`. */
  readonly repliesTo?: 'command' | undefined;
  /** The parameter with the record that the call edits: parts that the call does not name stay. */
  readonly edits?: string | undefined;
  /** The parameter with the record that the call removes. A step removes a whole thread by its first record. */
  readonly removes?: string | undefined;
  readonly params: z.ZodType<P>;
  readonly returns: z.ZodType<R>;
}

/** A read operation with pages. */
export interface DeclaredList<P = unknown, T = unknown> {
  readonly kind: 'list';
  readonly name: string;
  readonly watch: Watch;
  /** The number by which the platforms order the items, largest first, unless the parameters have another `sort`. */
  readonly rankedBy?: string | undefined;
  /** The values of parameters with which the newest items are first. Absent: those of a `feed` always are, and of other lists never. */
  readonly newestFirst?: Readonly<Record<string, readonly (string | undefined)[]>> | undefined;
  /** A condition on the items that rules watch, beside their own `where`. */
  readonly watchedWhere?: string | undefined;
  readonly params: z.ZodType<P>;
  /** The record of an item. */
  readonly item: z.ZodType<T>;
  /** The container class of the items. */
  readonly into: { readonly name: string };
}

/** The declaration of any operation. */
export type Declared = DeclaredRead | DeclaredWrite | DeclaredList;

/** Every operation that YAML can name, by its verb, for example `social.createPost`. */
export type Catalogue = ReadonlyMap<string, Declared>;

/** Whether an operation only reads. An operation of an earlier version, which has no declaration, counts as a write. */
export function isReading(declared: Declared | undefined): declared is DeclaredRead | DeclaredList {
  return declared?.kind === 'read' || declared?.kind === 'list';
}

/** Whether a step of `while` calls the operation at each poll, even with unchanged parameters. */
export function readsAtEachPoll(declared: Declared | undefined): boolean {
  return declared?.kind === 'list' || (declared?.kind === 'read' && declared.rereads === undefined);
}

/** Whether each call of an operation costs money, on any platform. */
export function isBilledByCall(declared: Declared | undefined): boolean {
  return declared?.kind === 'read' && declared.rereads === 'onChange';
}

/** Whether an operation reads one record, which its platform may not have. */
export function looksUpRecord(declared: Declared | undefined): boolean {
  return declared?.kind === 'read' && declared.watch === 'one';
}

/** The parameter with the record that an operation edits. */
export function editedParameter(declared: Declared | undefined): string | undefined {
  return declared?.kind === 'write' ? declared.edits : undefined;
}

/** The parameter with the record that an operation removes. */
export function removedParameter(declared: Declared | undefined): string | undefined {
  return declared?.kind === 'write' ? declared.removes : undefined;
}

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
