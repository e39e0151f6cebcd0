import { rejected } from './faults.ts';

/** A server that still shows the effect after so many requests does not undo it. */
const MOST = 10;

/** Undoes something until `undo` answers that nothing of it is left. */
export async function untilUndone(undo: () => Promise<boolean>, otherwise: string): Promise<true> {
  for (let count = 0; count < MOST; count++) if (!(await undo())) return true;
  throw rejected(`${otherwise}: look there, and undo it by hand.`);
}
