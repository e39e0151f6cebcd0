import type { ProbeHealth } from '#src/store/postgres/probe.ts';

/** Adds to a health that tests can wait for the probe. */
export function watchProbe(health: ProbeHealth) {
  let accepted = Promise.withResolvers<number>();
  return {
    health: {
      ...health,
      accepted(atMs: number): void {
        health.accepted(atMs);
        accepted.resolve(atMs);
        accepted = Promise.withResolvers();
      },
    },
    /** Resolves with the time of the database when it accepts the next write of the probe. */
    probed: () => accepted.promise,
  };
}
