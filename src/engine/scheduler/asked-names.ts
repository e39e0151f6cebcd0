import { namesToAsk } from '#src/rules/people/partial-polls.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Due } from './agenda.ts';

/** A slot after a hint, with the names that its poll asks for. The rule has the lists of this poll. */
export function withAskedNames(due: Due): Due {
  return due.names ? { ...due, asked: namesToAsk(due.rule, due.names) } : due;
}

/** Whether the poll asks for some names, and the rule has none of them. */
export function asksNoOne({ asked }: Due): boolean {
  return asked !== undefined && Object.values(asked).every((names) => names.length === 0);
}

/** The poll of a slot, with the names that it asked for. */
export function askedPoll({ asked }: Due, poll: Poll | undefined): Poll | undefined {
  return !asked || !poll || 'failure' in poll ? poll : { ...poll, asked };
}
