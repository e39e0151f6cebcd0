import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { mergePolls } from './answers.ts';

/** Told the poll of a rule; until it resolves, no more is asked for in its place. It does not reject. */
export type OnPoll = (rule: string, poll: Poll) => Promise<void>;

/** Tells `onPoll` of a rule when all its accounts have said theirs: only what several read waits for anything. */
export function tellWhole(rules: readonly Rule[], onPoll: OnPoll): (rule: string, part: { account: string; poll: Poll }) => Promise<void> {
  const shared = new Map(
    rules.flatMap(({ id, watched }) =>
      watched && watched.accounts.length > 1 ? [[id, { accounts: watched.accounts, polls: new Map<string, Poll>() }] as const] : [],
    ),
  );
  return async (rule, { account, poll }) => {
    const parts = shared.get(rule);
    if (!parts) return onPoll(rule, poll);
    const { accounts, polls } = parts;
    polls.set(account, poll);
    if (polls.size < accounts.length) return;
    shared.delete(rule);
    const ordered = accounts.flatMap((name) => {
      const part = polls.get(name);
      return part ? [{ account: name, poll: part }] : [];
    });
    await onPoll(rule, mergePolls(ordered));
  };
}
