import type { Planner } from '#src/engine/planner/planner.ts';
import type { Poll } from '#src/rules/poll.ts';

/** The polls of a planner, by rule id. */
export async function readAll(planner: Planner, wanted: Parameters<Planner['read']>[0], signal?: AbortSignal): Promise<Map<string, Poll>> {
  const polls = new Map<string, Poll>();
  await planner.read(wanted, async (rule, poll) => void polls.set(rule, poll), signal);
  return polls;
}
