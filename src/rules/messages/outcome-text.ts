import type { Outcome } from '../decision.ts';

/** The name of an outcome for people. `quiet` would read like quiet hours. */
export function outcomeText(outcome: Outcome): string {
  return outcome === 'quiet' ? 'no news' : outcome;
}
