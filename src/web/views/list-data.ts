import type { List, ListChange, StreamerSearch } from '../client/records.ts';
import type { Message } from './reasons.ts';

/** An entry of a list, as the view shows it. */
export type ShownEntry = Pick<List['entries'][number], 'id' | 'fields' | 'isFromSource'>;

/** A change of the list without the fields of its entries: an import changes a thousand of them. */
export interface ShownChange extends Pick<ListChange, 'id' | 'at' | 'by' | 'undoes' | 'undoneBy'> {
  readonly parts: readonly ChangedEntries[];
}

/** The entries of a change to which the same happened. */
export interface ChangedEntries {
  readonly kind: 'added' | 'changed' | 'removed';
  /** The first ones. */
  readonly names: readonly string[];
  readonly count: number;
}

/** The list of the view. */
export interface ListData extends Omit<List, 'entries'> {
  /** Absent: the list exists. A deleted list has only its changes. */
  readonly isDeleted?: true | undefined;
  readonly serverName?: string | undefined;
  /** The entries of this page. */
  readonly entries: readonly ShownEntry[];
  /** The number of entries that the filter finds. */
  readonly found: number;
  /** The searched channels that are in the list, each by `accountKey`. */
  readonly there: readonly string[];
  /** The ids that new entries of the searched channels cannot have. */
  readonly taken: readonly string[];
  readonly changes: readonly ShownChange[];
  readonly olderChanges?: string | undefined;
  /** What a search for new people found. */
  readonly search?: StreamerSearch | undefined;
  /** Why the search was refused. */
  readonly searchProblem?: Message | undefined;
}
