import { z } from 'zod';
import { countStatements } from '../count-statements.ts';

const Cost = z.object({ cpuMs: z.number(), statements: z.number() });
/** What a piece of work costs the process. */
type Cost = z.output<typeof Cost>;

/** What a process of the benchmark reports: its costs by name, and its peak memory. */
export const Report = z.object({ costs: z.record(z.string(), Cost), peakMb: z.number() });

/** The cost of a piece of work, as the average of some rounds. */
export async function costOf(work: () => Promise<unknown>, rounds = 1): Promise<Cost> {
  using counted = countStatements();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000 / rounds, statements: counted.statements / rounds };
}

/** Sends the costs to the process that started this one. */
export function report(costs: Readonly<Record<string, Cost>>): void {
  process.send?.({ costs, peakMb: process.resourceUsage().maxRSS / 1024 } satisfies z.input<typeof Report>);
}
