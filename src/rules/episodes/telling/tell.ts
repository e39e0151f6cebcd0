import type { Episode } from '../../episode.ts';
import type { Watched } from '../../rule.ts';
import type { Happening } from '../changes/happening.ts';
import { whyBegun } from './reasons.ts';
import { decide, said, type Said } from './said.ts';
import { settled, tellChanges, type Say } from './tell-changes.ts';
import { tellTurn, type TurnTellOptions } from './tell-turn.ts';

/** All that a rule says and does about one episode in one poll. */
export interface Told extends Said {
  /** The episode, with what of that it remembers. */
  readonly episode: Episode;
  /** Whether anything may come of the episode yet. */
  readonly isKept: boolean;
}

export interface TellOptions extends TurnTellOptions {
  /** Whether it is quiet now. */
  readonly isQuiet: () => boolean;
  /** Absent: the rule speaks of its slots, not of each change. */
  readonly say?: Say | undefined;
}

/** What a rule says and does about one episode. */
export function tell(happening: Happening, options: TellOptions): Told {
  const { turn, begun } = happening;
  const changed = tellAll(happening, options);
  const ofTurn = turn ? tellTurn(turn, { ...happening, episode: changed.episode }, options) : { ...said({}), episode: changed.episode };
  const { episode } = ofTurn;
  const waiting = begun.map((happened) => decide('waiting', whyBegun(episode, happened, options), { ...options, episode }));
  const isEnd = turn?.kind === 'closed';
  return {
    firings: [...changed.said.firings, ...ofTurn.firings],
    withdrawals: [...changed.said.withdrawals, ...ofTurn.withdrawals],
    // An end comes before what is made of it.
    decisions: isEnd ? [...ofTurn.decisions, ...changed.said.decisions] : [...changed.said.decisions, ...waiting, ...ofTurn.decisions],
    episode,
    isKept: isKept(happening, { episode, watched: options.watched }),
  };
}

function tellAll(happening: Happening, { rule, slotMs, isQuiet, say }: TellOptions): { readonly episode: Episode; readonly said: Said } {
  if (say) return tellChanges(happening, { rule, slotMs, isQuiet, say });
  return { episode: happening.changes.reduce(settled, happening.episode), said: said({}) };
}

/** Only what lives can be reopened; what is held is still to be told of. */
function isKept({ turn }: Happening, { episode, watched }: { readonly episode: Episode; readonly watched: Watched }): boolean {
  if (turn?.kind === 'vanished') return false;
  return episode.phase !== 'closed' || watched.kind === 'live' || episode.held !== undefined || episode.unsaid !== undefined;
}
