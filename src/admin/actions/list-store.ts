import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Listing, ListingOptions } from '#src/clients/operation/listing.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import type { Actor } from './actor.ts';

/** Names the list of a server, or of the installation. */
export interface ListRef {
  readonly list: string;
  /** The id of a Discord server. Undefined: the list of the installation. */
  readonly server?: string | undefined;
}

/** The fields of entries by id; null: there is no such entry. */
export type EntryStates = Readonly<Record<string, JsonObject | null>>;

/** A change of a list: who changed what and when. */
export interface ListChange extends ListRef {
  readonly id: string;
  readonly at: Date;
  readonly by: Pick<Actor, 'name' | 'via' | 'id'>;
  readonly before: EntryStates;
  readonly after: EntryStates;
  /** The id of the change that this one undoes. */
  readonly undoes?: string | undefined;
  /** The id of the change that undid this one. */
  readonly undoneBy?: string | undefined;
}

/** What an edit makes of the entries that it changes. */
export interface ListEdit {
  readonly after: EntryStates;
  readonly undoes?: string | undefined;
}

/** The living lists without their entries. */
export interface LivingNames {
  /** The number of the newest change. */
  readonly seq: number;
  readonly lists: readonly ListRef[];
}

interface LivingLists extends LivingNames {
  /** Ordered by list, server and id. */
  readonly entries: readonly ListEntry[];
}

/** Which changes of lists. */
export interface ChangeFilter extends ListingOptions {
  readonly list?: string | undefined;
  /** The id of a server. Empty: only lists of the installation. Undefined: all lists. */
  readonly server?: string | undefined;
}

/** Stores living lists. All processes of a database share them. */
export interface ListStore {
  read(): Promise<LivingLists>;
  /**
   * What changed since a read: the lists now, and the changes, oldest first. Undefined if lists were removed since then, so that all have to
   * be read. Polls call it often: without a change, it reads a row and a count.
   */
  readSince(before: LivingNames): Promise<(LivingNames & { readonly changes: readonly ListChange[] }) | undefined>;
  /** The entries of one list by id; undefined: there is no such list. */
  entries(list: ListRef): Promise<ReadonlyMap<string, JsonObject> | undefined>;
  /** The living lists with a name: that of the installation, and those of servers. */
  named(list: string): Promise<readonly ListRef[]>;
  /** Edits a list, one edit at a time, and creates it if needed. `decide` may run again. Undefined: it changed nothing. */
  edit(
    list: ListRef,
    by: Actor,
    decide: (entries: ReadonlyMap<string, JsonObject>, exists: boolean) => ListEdit,
  ): Promise<ListChange | undefined>;
  /** Deletes a list. Its changes remain, and the last one removes all entries. Undefined: there is no such list. */
  remove(list: ListRef, by: Actor): Promise<ListChange | undefined>;
  findChange(id: string): Promise<ListChange | undefined>;
  /** Newest first. Changes of two years are stored. */
  changes(filter: ChangeFilter): Promise<Listing<ListChange>>;
  /** Deletes the lists of a server with their changes. */
  removeServer(server: string): Promise<void>;
}
