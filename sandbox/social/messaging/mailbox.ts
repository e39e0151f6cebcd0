import { below, createDice, pick } from '../../world/dice.ts';
import type { WorldPerson } from '../../world/world.ts';
import { type People, SELF } from '../people.ts';
import type { Relations } from '../relations.ts';
import type { DirectMessages, StoredMessage } from './direct-messages.ts';

const OPENING_MESSAGES = 24;
const FIRST_AT_MS = Date.UTC(2025, 0, 6, 9);
const APART_MS = 9 * 86_400_000;
const LEAST_DELAY_MS = 5_000;
const MORE_DELAY_MS = 55_000;

const GREETINGS = [
  'Hi! I love what you do here. Could you look out for my channel, too?',
  'Thank you for the shout-out last week, half of my chat came from it.',
  'Is there a way to hear of speedruns only?',
  'Hello! Who is behind this account?',
  'We plan a charity marathon in spring. Would you tell people about it?',
  'Your posts are the first thing that I read in the morning.',
];

const ANSWERS = ['Thank you!', 'Ha, that made my day.', 'Good to know.', 'I will be there.', 'Sounds like a plan!', 'Haha, yes.'];
const ANSWERS_TO_QUESTIONS = [
  'Yes, gladly!',
  'Let me think about it.',
  'Not before the weekend, sorry.',
  'Of course.',
  'What do you think?',
];

const dice = createDice(0, 'letters');

/** The id of the conversation of two people: both ids in order, with a hyphen. */
export function directId(one: string, other: string): string {
  return [one, other].toSorted().join('-');
}

/** The messages that people sent to the account before the sandbox started, one for each conversation. */
export function openingMessages(people: readonly WorldPerson[]): readonly StoredMessage[] {
  return Array.from({ length: OPENING_MESSAGES }, (_, index) => {
    const sender = people[Math.floor(((index + dice(index)) / OPENING_MESSAGES) * people.length)] ?? pick(people, dice(index));
    return generatedMessage({
      id: `letter-${index + 1}`,
      conversationId: directId(sender.id, SELF.id),
      senderId: sender.id,
      text: pick(GREETINGS, dice(index, 1)),
      createdAtMs: FIRST_AT_MS + index * APART_MS + below(APART_MS, dice(index, 2)),
    });
  });
}

/** The generated answers to sent messages, oldest first. A message gets an answer if no other message follows within that time. */
export function generatedReplies(sent: readonly StoredMessage[], memberIds: readonly string[]): readonly StoredMessage[] {
  return sent.flatMap((message, index) => {
    const number = Number(message.id.slice('message-'.length));
    const others = memberIds.filter((id) => id !== message.senderId && id !== SELF.id);
    const createdAtMs = message.createdAtMs + LEAST_DELAY_MS + below(MORE_DELAY_MS, dice(number, 3));
    const next = sent[index + 1];
    if (others.length === 0 || (next && next.createdAtMs <= createdAtMs)) return [];
    const choices = message.text.trimEnd().endsWith('?') ? ANSWERS_TO_QUESTIONS : ANSWERS;
    return generatedMessage({
      id: `answer-${number}`,
      conversationId: message.conversationId,
      senderId: pick(others, dice(number, 4)),
      text: pick(choices, dice(number, 5)),
      createdAtMs,
      replyTo: message.id,
    });
  });
}

function generatedMessage(message: Omit<StoredMessage, 'visibleAtMs' | 'media'>): StoredMessage {
  return { ...message, visibleAtMs: message.createdAtMs, media: [] };
}

/** A conversation as one of its members sees it. */
export interface MailboxConversation {
  readonly id: string;
  readonly title: string | undefined;
  readonly members: readonly WorldPerson[];
  /** Oldest first. */
  readonly messages: readonly StoredMessage[];
}

interface MailboxOptions {
  readonly owner: WorldPerson;
  readonly directMessages: DirectMessages;
  readonly people: People;
  readonly relations: Relations;
  readonly nowMs: number;
}

/** The conversations of one person at one instant, without messages of people with a block between them and the person. */
export interface Mailbox {
  /** The conversation with the latest message first. */
  all(): readonly MailboxConversation[];
  /** The conversation with a person, even if it has no messages. */
  with(person: WorldPerson): MailboxConversation;
  find(id: string): MailboxConversation | undefined;
}

export function mailboxOf({ owner, directMessages, people, relations, nowMs }: MailboxOptions): Mailbox {
  const openings = Map.groupBy(openingMessages(people.others), ({ conversationId }) => conversationId);
  const groups = new Map(directMessages.groups().map((group) => [group.id, group]));

  function conversationOf(id: string, members: readonly WorldPerson[], title?: string): MailboxConversation {
    const memberIds = members.map((member) => member.id);
    const sent = directMessages.in(id);
    const messages = [...(openings.get(id) ?? []), ...sent, ...generatedReplies(sent, memberIds)]
      .filter(({ visibleAtMs, senderId }) => visibleAtMs <= nowMs && !relations.parted(owner.id, senderId))
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    return { id, title, members, messages };
  }

  function findDirect(id: string): MailboxConversation | undefined {
    const ids = id.split('-');
    const members = ids.flatMap((memberId) => people.find(memberId) ?? []);
    const [first, second] = members;
    const isOwnersConversation = ids.length === 2 && first && second && directId(first.id, second.id) === id && members.includes(owner);
    return isOwnersConversation && !relations.parted(first.id, second.id) ? conversationOf(id, members) : undefined;
  }

  function findGroup(id: string): MailboxConversation | undefined {
    const group = groups.get(id);
    if (!group?.memberIds.includes(owner.id)) return undefined;
    const members = group.memberIds.flatMap((memberId) => people.find(memberId) ?? []);
    return conversationOf(id, members, group.title);
  }

  return {
    all() {
      const ids = new Set([...openings.keys(), ...directMessages.conversationIds(), ...groups.keys()]);
      const found = [...ids].flatMap((id) => findGroup(id) ?? findDirect(id) ?? []);
      return found
        .filter(({ id, messages }) => groups.has(id) || messages.length > 0)
        .toSorted((a, b) => latestMs(b) - latestMs(a) || (a.id < b.id ? -1 : 1));
    },
    with: (person) => conversationOf(directId(owner.id, person.id), [owner, person]),
    find: (id) => findGroup(id) ?? findDirect(id),
  };

  function latestMs({ id, messages }: MailboxConversation): number {
    return messages.at(-1)?.createdAtMs ?? groups.get(id)?.createdAtMs ?? 0;
  }
}
