import type { Log } from '#src/log.ts';

/** Says of what goes wrong again and again once that it began, and once that it is over. */
export interface Troubles {
  begin(key: string, about: object, why: object): void;
  over(key: string): void;
}

/** Nothing has gone wrong yet. `began` and `ended` are the sentences for the log. */
export function createTroubles(log: Log, { began, ended }: { readonly began: string; readonly ended: string }): Troubles {
  const open = new Map<string, object>();
  return {
    begin(key, about, why) {
      if (!open.has(key)) log.warn({ ...about, ...why }, began);
      open.set(key, about);
    },
    over(key) {
      const about = open.get(key);
      if (about && open.delete(key)) log.info(about, ended);
    },
  };
}
