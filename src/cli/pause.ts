import { printUnknown, type ExplainOptions } from './explain.ts';

export interface PauseOptions extends ExplainOptions {
  /** In whose name. */
  readonly by: string;
}

/** Lets a rule say nothing more until it is resumed; the exit code is 1 where there is no such rule. */
export async function pause({ explainer, rule, by, out }: PauseOptions): Promise<number> {
  const paused = await explainer.pause(rule, by);
  if (!paused) {
    await printUnknown(rule, { explainer, out });
    return 1;
  }
  if (paused.length === 0) out.print(`${rule} is paused already.`);
  for (const id of paused) out.print(`${out.paint('yellow', id)} says nothing more until: fanfare resume ${id}`);
  return 0;
}
