import { printUnknown, type ExplainOptions } from './explain.ts';

/** Lets a rule speak again that is paused; the exit code is 1 where there is no such rule. */
export async function resume({ explainer, rule, out }: ExplainOptions): Promise<number> {
  const resumed = await explainer.resume(rule);
  if (!resumed) {
    await printUnknown(rule, { explainer, out });
    return 1;
  }
  if (resumed.length === 0) out.print(`${rule} is not paused.`);
  for (const id of resumed) out.print(`${out.paint('green', id)} speaks again. What happened while it was paused is not made up for.`);
  return 0;
}
