import type { RuleMemory } from '../episode.ts';
import type { Advance } from './advance-result.ts';
import { look, type Look, type LookOptions } from './look.ts';
import { decide, said, together } from './telling/said.ts';
import { sayItems, type SayOptions } from './telling/say-items.ts';
import { sayPoll } from './telling/say-poll.ts';
import { withSummary } from './telling/summary.ts';
import type { Say } from './telling/tell-changes.ts';
import { tellSlot, type ToldSlot } from './telling/tell-slot.ts';
import { tell } from './telling/tell.ts';
import { tellHeld } from './telling/tell-held.ts';
import { quietEnd } from './gates/quiet-end.ts';
import { changedBy } from './state-change.ts';

export interface ListOptions extends LookOptions {
  /** Run for the end of the quiet hours alone: no slot of the schedule. */
  readonly woken: boolean;
}

interface Spoken extends ToldSlot {
  readonly say: Say | undefined;
}

/** A slot of a rule that watches a list which could be read. */
export function advanceList(options: ListOptions): Advance {
  const { rule, watched, state, slotMs } = options;
  const seen = look(options);
  if (!seen) return said({ decisions: [decide('failed', { kind: 'keyless' }, { rule, slotMs })] });

  const { say, ...spoken } = speak(seen, options);
  const told = seen.happenings.map((happening) => tell(happening, { ...options, ...seen, say }));
  const changed = changedBy(told, { ...options, look: seen });
  const held = tellHeld(changed, { ...options, look: seen });
  const all = together([spoken, ...told, held]);

  const memory: RuleMemory = {
    ...seen.gates.memory(),
    fingerprint: watched.fingerprint,
    lastPollMs: slotMs,
    quietEndMs: quietEnd(state.memory, { gates: seen.gates, decisions: all.decisions }),
    heldSlot: spoken.heldSlot,
  };
  return {
    ...all,
    decisions: withSummary(all.decisions, { ...options, look: seen }),
    change: { memory, ...held.changed },
    wakeMs: memory.quietEndMs,
  };
}

/** How the changes of a poll are said: each by itself, or in one firing. */
function speak(seen: Look, { rule, watched, state, slotMs, woken }: ListOptions): Spoken {
  const options: SayOptions = { rule, slotMs, ...seen };
  switch (watched.per) {
    case 'item':
      return { ...said({}), say: sayItems(options), heldSlot: undefined };
    case 'poll':
      return { ...sayPoll(seen.askable, options), heldSlot: undefined };
    case 'slot':
      return { ...tellSlot({ ...options, state, woken }), say: undefined };
  }
}
