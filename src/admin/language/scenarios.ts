import type { ScenarioKind } from '#src/engine/simulation/preview/scenario-kind.ts';

/** The name of a scenario of a preview: the event, and the subject if the scenario has no item. */
export interface ScenarioName {
  /** Absent: the event names no item. */
  readonly subject?: string | undefined;
  readonly event: string;
}

/** The names of the scenarios, for all front ends. */
export type ScenarioNames = Readonly<Record<ScenarioKind, ScenarioName>>;

/** The scenarios in English. */
export const scenarios: ScenarioNames = {
  goesLive: { subject: 'A stream', event: 'goes live' },
  enters: { subject: 'An item', event: 'enters the list' },
  isNew: { subject: 'An item', event: 'is new' },
  comes: { subject: 'An item', event: 'comes' },
  isThere: { subject: 'An item', event: 'is there' },
  leaves: { subject: 'An item', event: 'leaves' },
  moves: { subject: 'An item', event: 'moves' },
  changes: { subject: 'An item', event: 'changes' },
  rises: { subject: 'An item', event: 'rises' },
  falls: { subject: 'An item', event: 'falls' },
  slot: { event: 'At each poll' },
  time: { event: 'At the scheduled time' },
  used: { subject: 'The command', event: 'is used' },
  received: { subject: 'The webhook', event: 'is received' },
  stays: { subject: 'An item', event: 'is still there' },
  repeats: { subject: 'An item', event: 'is still there at a multiple of every' },
  ends: { subject: 'An item', event: 'is gone' },
  quietEnds: { event: 'When the quiet hours end' },
  limitEnds: { event: 'When the limit allows a further announcement' },
  gathers: { event: 'When enough is gathered' },
};

/** The heading of a scenario, with the name of its item. */
export function scenarioTitle({ subject, event }: ScenarioName, name: string | undefined): string {
  return subject === undefined ? event : `${name ?? subject} ${event}`;
}
