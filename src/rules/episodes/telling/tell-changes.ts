import type { Episode, HeldChange, Mark } from '../../episode.ts';
import type { Refusal } from '../../reasons/refusal.ts';
import type { Rule } from '../../rule.ts';
import type { Change } from '../changes/change.ts';
import type { Happening } from '../changes/happening.ts';
import { together, type Said } from './said.ts';

/** What was decided of a change. */
export type Verdict =
  | { readonly kind: 'said'; readonly by: string }
  | { readonly kind: 'refused'; readonly by: Refusal }
  | { readonly kind: 'held' };

/** Asks whether a change is said, and says it. */
export type Say = (episode: Episode, change: Change) => { readonly verdict: Verdict; readonly said: Said };

export interface ToldChanges {
  /** The episode, with what was said of it. */
  readonly episode: Episode;
  readonly said: Said;
}

/** Says what is to be said of the changes of one episode; what is held and has not changed is left alone. */
export function tellChanges(
  { episode: happened, changes }: Happening,
  { rule, slotMs, isQuiet, say }: { readonly rule: Rule; readonly slotMs: number; readonly isQuiet: () => boolean; readonly say: Say },
): ToldChanges {
  let episode = happened;
  const all: Said[] = [];
  for (const change of changes) {
    if (!isToBeSaid(change, isQuiet)) continue;
    const { verdict, said } = say(episode, change);
    episode = recorded(episode, change, { verdict, slotMs, collects: Array.isArray(rule.quiet?.then) });
    all.push(said);
  }
  return { episode, said: together(all) };
}

/** Whether a poll has something to say of a change. */
export function isToBeSaid({ isWatched, wasHeld }: Change, isQuiet: () => boolean): boolean {
  return isWatched && !(wasHeld && isQuiet());
}

function recorded(
  episode: Episode,
  change: Change,
  { verdict, slotMs, collects }: { readonly verdict: Verdict; readonly slotMs: number; readonly collects: boolean },
): Episode {
  const { kind } = change;
  const isEntry = kind === 'entered';
  const decided = episode.unsaid === kind ? { ...episode, unsaid: undefined } : episode;
  switch (verdict.kind) {
    case 'said':
      return { ...settled(decided, change), ...(isEntry && { spokenBy: verdict.by }) };
    case 'refused':
      return { ...settled(decided, change), ...(isEntry && { silence: verdict.by }) };
    case 'held': {
      if (collects) {
        const { previous, from, to } = change;
        return {
          ...withHeld(settled(episode, change), kind, { atMs: slotMs, previous, from, to }),
          ...(isEntry && { silence: { kind: 'collected' } }),
        };
      }
      // A value stays unsaid: at the end it is told if it still differs.
      if (kind === 'entered' || kind === 'left') return { ...episode, unsaid: kind };
      return withMarks(episode, change, (mark) => ({ ...mark, held: true }));
    }
  }
}

/** The episode once a change was decided: its values are compared with those from now on. */
export function settled(episode: Episode, change: Change): Episode {
  return withMarks(episode, change, ({ next }) => ({ said: change.kind === 'moved' ? 0 : next }));
}

function withMarks(episode: Episode, { marks: names }: Change, update: (mark: Mark) => Mark): Episode {
  const { marks } = episode;
  if (!marks || names.length === 0) return episode;
  const updated = names.flatMap((name) => (marks[name] ? [[name, update(marks[name])] as const] : []));
  return { ...episode, marks: { ...marks, ...Object.fromEntries(updated) } };
}

function withHeld(episode: Episode, kind: Change['kind'], held: HeldChange): Episode {
  return { ...episode, held: { ...episode.held, [kind]: held } };
}
