import type { WorldPerson } from '../../world/world.ts';
import { below, createDice, pick } from '../../world/dice.ts';
import { SELF } from '../people.ts';
import type { StoredMessage } from './talks.ts';

const LETTERS = 24;
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

/** Between the ids of two people stands a hyphen, the lesser id first. */
export function directId(one: string, other: string): string {
  return [one, other].toSorted().join('-');
}

/** What people once wrote to the account, each in a conversation of their own. */
export function lettersOf(people: readonly WorldPerson[]): readonly StoredMessage[] {
  return Array.from({ length: LETTERS }, (_, index) => {
    const sender = people[Math.floor(((index + dice(index)) / LETTERS) * people.length)] ?? pick(people, dice(index));
    return byItself({
      id: `letter-${index + 1}`,
      conversationId: directId(sender.id, SELF.id),
      senderId: sender.id,
      text: pick(GREETINGS, dice(index, 1)),
      createdAtMs: FIRST_AT_MS + index * APART_MS + below(APART_MS, dice(index, 2)),
    });
  });
}

/**
 * What people answer by themselves to the messages of a conversation, sent oldest first: one of the others, a while
 * after a message, and only if nobody wrote anything in between.
 */
export function answersTo(sent: readonly StoredMessage[], memberIds: readonly string[]): readonly StoredMessage[] {
  return sent.flatMap((message, index) => {
    const number = Number(message.id.slice('message-'.length));
    const others = memberIds.filter((id) => id !== message.senderId && id !== SELF.id);
    const createdAtMs = message.createdAtMs + LEAST_DELAY_MS + below(MORE_DELAY_MS, dice(number, 3));
    const next = sent[index + 1];
    if (others.length === 0 || (next && next.createdAtMs <= createdAtMs)) return [];
    const choices = message.text.trimEnd().endsWith('?') ? ANSWERS_TO_QUESTIONS : ANSWERS;
    return byItself({
      id: `answer-${number}`,
      conversationId: message.conversationId,
      senderId: pick(others, dice(number, 4)),
      text: pick(choices, dice(number, 5)),
      createdAtMs,
      replyTo: message.id,
    });
  });
}

function byItself(message: Omit<StoredMessage, 'visibleAtMs' | 'media'>): StoredMessage {
  return { ...message, visibleAtMs: message.createdAtMs, media: [] };
}
