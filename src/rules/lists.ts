import type { JsonObject } from '#src/clients/operation/json.ts';

/** A person or a thing in a list. */
export interface ListEntry {
  /** Unique within the list and the server. For people, usually the handle on the first platform. */
  readonly id: string;
  readonly list: string;
  /** The id of a Discord server. Undefined: the entry belongs to the installation. */
  readonly server: string | undefined;
  /** Free values, for example `twitch` and `kick` (handles), `channel`, `ping` or `line`. */
  readonly fields: JsonObject;
  /** Whether the source of the list has the person. */
  readonly isFromSource?: true | undefined;
}

/** A read operation whose people are entries of a list. */
export interface PeopleSource {
  /** As `streaming.getTeamMembers`. */
  readonly verb: string;
  readonly account: string;
  /** The platform of the account, which is the field with the handle of each person. */
  readonly platform: string;
  readonly params: JsonObject;
}

/** The list of the streamers whom servers follow with `/follow`, and the id of the shipped rule that announces them. */
export const FOLLOWED = 'followed';

/** All lists at one moment. */
export interface Lists {
  /** Differs if an entry differs. */
  readonly revision: string;
  /** The entries of all servers, ordered by server and id. None if the list does not exist. */
  entries(list: string): readonly ListEntry[];
  names(): readonly string[];
  /** Why the entries of a list are unknown, and what to do; undefined: they are known. Absent: those of all lists are. */
  problemOf?(list: string): string | undefined;
}

/** Where rules read lists: files and living lists. */
export interface ListSource {
  current(): Promise<Lists>;
}

/** The lists of a source; none if they cannot be read. */
export async function listsOrNone(source: ListSource): Promise<Lists> {
  return source.current().catch(() => NO_LISTS);
}

/** No lists, for rules that are checked or tested without a folder of lists. */
export const NO_LISTS: Lists = { revision: '', entries: () => [], names: () => [] };
