import { z } from 'zod';
import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../journal.ts';

const FACETS = 'message-facets';
const ACCEPTED = 'accepted-convos';
const REACTIONS = 'message-reactions';

const Reaction = z.object({ messageId: z.string(), userId: z.string(), value: z.string(), atMs: z.number() });
/** An emoji that somebody put on a message. People by their ids on the stage. */
export interface MessageReaction extends Readonly<z.output<typeof Reaction>> {}

/** The facts of messages that other platforms do not have: facets, several reactions per person, and accepted conversations. */
export class MessageDetails {
  readonly #journal: Journal;
  readonly #reactions = new Map<string, MessageReaction>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(REACTIONS)) this.#remember(Reaction.parse(document));
  }

  setFacets(messageId: string, facets: readonly JsonObject[]): void {
    this.#journal.put(FACETS, messageId, facets);
  }

  facetsOf(messageId: string): Json | undefined {
    return this.#journal.get(FACETS, messageId);
  }

  accept(userId: string, convoId: string): void {
    this.#journal.put(ACCEPTED, `${userId} ${convoId}`, true);
  }

  isAccepted(userId: string, convoId: string): boolean {
    return this.#journal.get(ACCEPTED, `${userId} ${convoId}`) === true;
  }

  /** In the order in which they were put there. */
  on(messageId: string): readonly MessageReaction[] {
    return [...this.#reactions.values()].filter((reaction) => reaction.messageId === messageId);
  }

  /** The same emoji of the same person again changes nothing. */
  add(reaction: MessageReaction): void {
    if (this.#reactions.has(placeOf(reaction))) return;
    this.#journal.put(REACTIONS, placeOf(reaction), { ...reaction });
    this.#remember(reaction);
  }

  remove(reaction: Omit<MessageReaction, 'atMs'>): void {
    this.#journal.drop(REACTIONS, placeOf(reaction));
    this.#reactions.delete(placeOf(reaction));
  }

  #remember(reaction: MessageReaction): void {
    this.#reactions.set(placeOf(reaction), reaction);
  }
}

function placeOf({ messageId, userId, value }: Omit<MessageReaction, 'atMs'>): string {
  return `${messageId} ${userId} ${value}`;
}
