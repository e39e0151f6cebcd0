import type { WorldPerson } from '../../world/world.ts';
import type { People } from '../people.ts';
import type { Relations } from '../relations.ts';
import { answersTo, directId, lettersOf } from './letters.ts';
import type { StoredMessage, Talks } from './talks.ts';

/** A conversation as one of its members finds it. */
export interface Talk {
  readonly id: string;
  readonly title: string | undefined;
  readonly members: readonly WorldPerson[];
  /** Oldest first. */
  readonly messages: readonly StoredMessage[];
}

export interface MailboxOptions {
  readonly owner: WorldPerson;
  readonly talks: Talks;
  readonly people: People;
  readonly relations: Relations;
  readonly nowMs: number;
}

/** The conversations of one person at one instant; nothing in them is by somebody from whom a block parts them. */
export interface Mailbox {
  /** The one with the latest message first. */
  all(): readonly Talk[];
  /** Also one in which nothing was said yet. */
  with(person: WorldPerson): Talk;
  find(id: string): Talk | undefined;
}

export function mailboxOf({ owner, talks, people, relations, nowMs }: MailboxOptions): Mailbox {
  const letters = Map.groupBy(lettersOf(people.others), ({ conversationId }) => conversationId);
  const groups = new Map(talks.groups().map((group) => [group.id, group]));

  function talk(id: string, members: readonly WorldPerson[], title?: string): Talk {
    const memberIds = members.map((member) => member.id);
    const sent = talks.in(id);
    const messages = [...(letters.get(id) ?? []), ...sent, ...answersTo(sent, memberIds)]
      .filter(({ visibleAtMs, senderId }) => visibleAtMs <= nowMs && !relations.parted(owner.id, senderId))
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    return { id, title, members, messages };
  }

  function findDirect(id: string): Talk | undefined {
    const ids = id.split('-');
    const members = ids.flatMap((memberId) => people.find(memberId) ?? []);
    const [first, second] = members;
    const isOwn = ids.length === 2 && first && second && directId(first.id, second.id) === id && members.includes(owner);
    return isOwn && !relations.parted(first.id, second.id) ? talk(id, members) : undefined;
  }

  function findGroup(id: string): Talk | undefined {
    const group = groups.get(id);
    if (!group?.memberIds.includes(owner.id)) return undefined;
    const members = group.memberIds.flatMap((memberId) => people.find(memberId) ?? []);
    return talk(id, members, group.title);
  }

  return {
    all() {
      const ids = new Set([...letters.keys(), ...talks.conversationIds(), ...groups.keys()]);
      const found = [...ids].flatMap((id) => findGroup(id) ?? findDirect(id) ?? []);
      return found
        .filter(({ id, messages }) => groups.has(id) || messages.length > 0)
        .toSorted((a, b) => latestMs(b) - latestMs(a) || (a.id < b.id ? -1 : 1));
    },
    with: (person) => talk(directId(owner.id, person.id), [owner, person]),
    find: (id) => findGroup(id) ?? findDirect(id),
  };

  function latestMs({ id, messages }: Talk): number {
    return messages.at(-1)?.createdAtMs ?? groups.get(id)?.createdAtMs ?? 0;
  }
}
