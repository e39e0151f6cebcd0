import type { Episode } from '../../episode.ts';
import type { Section, Withdrawal } from '../../firing.ts';
import { stepBecause } from '../../reasons/because.ts';
import type { KeptSilence } from '../../reasons/reason.ts';
import type { StepReason } from '../../reasons/step-reason.ts';
import type { Rule, Scope, Watched } from '../../rule.ts';
import type { Happening } from '../changes/happening.ts';
import { wasThereAlready } from '../turns/seen-turns.ts';
import type { Sifted } from '../turns/sift-items.ts';
import type { Turn, TurnOf } from '../turns/turn.ts';
import { fireFinally, fireWhile } from './fire.ts';
import { whyBack, whyClosed, whyMissing, whyOpened, whyVanished, whyWaiting } from './reasons.ts';
import { decide, said, type Said } from './said.ts';
import { episodeScope } from './scope.ts';

/** What is said and done about a turn itself, and what the episode remembers of it. */
export type ToldTurn = Said & { readonly episode: Episode };

export interface TurnTellOptions {
  readonly rule: Rule;
  readonly watched: Watched;
  readonly slotMs: number;
  readonly sifted: Pick<Sifted, 'out'>;
  /** What the steps of this poll see. */
  readonly kept: Scope;
}

/** What a rule says and does about a turn, beside the changes in it; `episode` knows what was said of those. */
export function tellTurn(turn: Turn, { episode, changes }: Happening, options: TurnTellOptions): ToldTurn {
  const about = { ...options, episode };
  switch (turn.kind) {
    case 'waited':
      return told(episode, { decisions: [decide('waiting', whyWaiting(episode, options), about)] });
    case 'missed': {
      // Said once, when it begins: grace may last for many polls.
      const isFirst = episode.misses === 1;
      return told(episode, { decisions: isFirst ? [decide('waiting', whyMissing(episode, options), about)] : [] });
    }
    case 'unread':
      return told(episode, {});
    case 'vanished':
      return told(episode, { decisions: [decide('quiet', whyVanished(episode, options), about)] });
    case 'opened':
      return tellOpened(turn.episode.silence, episode, options);
    case 'stayed':
      return tellStayed(turn, episode, options);
    case 'reopened':
      return tellReopened(turn, episode, options);
    case 'closed': {
      const left = changes.find(({ kind }) => kind === 'left');
      const scope = episodeScope(options.kept, { episode, previous: episode.item, change: left });
      return told(episode, {
        firings: fireFinally({ ...about, scope }),
        // As long as the next `while` would be the first there is none to take back.
        withdrawals: episode.spokenBy === undefined || episode.afresh ? [] : [withdraw('while', { kind: 'over' }, about)],
        decisions: [decide('closed', whyClosed(episode, options), about)],
      });
    }
  }
}

/** Of who may open aloud its change tells; `silence` is what was known before anybody asked. */
function tellOpened(silence: KeptSilence | undefined, episode: Episode, options: TurnTellOptions): ToldTurn {
  const { watched } = options;
  const isAsked = watched.changes.some(({ kind }) => kind === 'entered');
  if (wasThereAlready({ silence }) || watched.per === 'slot' || (silence === undefined && isAsked)) return told(episode, {});
  const silent = { ...episode, silence: silence ?? ({ kind: 'unasked' } as const) };
  if (watched.per === 'poll' && !isAsked) return told(silent, {});
  return told(silent, { decisions: [decide('silent', whyOpened(silent, silent.silence), { ...options, episode })] });
}

function tellStayed({ previous, missedMs, ...turn }: TurnOf<'stayed'>, episode: Episode, options: TurnTellOptions): ToldTurn {
  const about = { ...options, episode };
  // The poll that announces it, late as that may be, does nothing else.
  const isAnnounced = turn.episode.spokenBy === undefined;
  const firings = isAnnounced ? [] : fireWhile({ ...about, scope: episodeScope(options.kept, { episode, previous }) });
  const goesOn = firings.length > 0;
  // The first of them replaces nothing.
  const isNewer = goesOn && !episode.afresh;
  return told(goesOn && episode.afresh ? { ...episode, afresh: false } : episode, {
    firings,
    withdrawals: isNewer ? [withdraw('while', { kind: 'newerPoll' }, about)] : [],
    decisions: missedMs === undefined ? [] : [decide('quiet', whyBack(episode, missedMs), about)],
  });
}

function tellReopened({ previous, missedMs }: TurnOf<'reopened'>, episode: Episode, options: TurnTellOptions): ToldTurn {
  const about = { ...options, episode };
  const firings = fireWhile({ ...about, scope: episodeScope(options.kept, { episode, previous }) });
  return told(
    { ...episode, afresh: firings.length === 0 },
    {
      firings,
      withdrawals: episode.spokenBy === undefined ? [] : [withdraw('finally', { kind: 'goesOn' }, about)],
      decisions: [decide('silent', whyBack(episode, missedMs), about)],
    },
  );
}

function told(episode: Episode, what: Partial<Said>): ToldTurn {
  return { ...said(what), episode };
}

function withdraw(section: Section, why: StepReason, { rule, episode }: { readonly rule: Rule; readonly episode: Episode }): Withdrawal {
  return { rule: rule.id, of: { episode: episode.id }, section, ...stepBecause(why) };
}
