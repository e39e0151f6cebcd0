import type { Step } from '../step.ts';

/** The step that stops others, as it failed. */
export interface Stopper {
  /** Its id, else its place in its list from 0 without waits. */
  readonly step: string;
  /** Of one without an id: its place in its list as the file has it, from 1. */
  readonly number?: number | undefined;
  readonly account: string;
}

/** A step as the reason of those that it stops names it; `index`: its place from 0 without waits. */
export function stopperOf({
  step: { id, number },
  index,
  account,
}: {
  readonly step: Pick<Step, 'id' | 'number'>;
  readonly index: number;
  readonly account: string;
}): Stopper {
  return id === undefined ? { step: String(index), number: number ?? index + 1, account } : { step: id, account };
}
