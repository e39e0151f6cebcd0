import type { Episode } from '../../episode.ts';
import type { Firing, Section, Withdrawal } from '../../firing.ts';
import type { Item } from '../../poll.ts';
import type { ChangeKind, Rule, Scope, Watched } from '../../rule.ts';
import { fireFinally, fireThen, fireWhile } from './fire.ts';
import type { Gates } from './gates.ts';
import { whyBack, whyClosed, whyLeft, whyMissing, whyOpened, whyVanished, whyWaiting } from './reasons.ts';
import { decide, said, type Said } from './said.ts';
import { episodeScope } from './scope.ts';
import { THERE_ALREADY } from '../turns/seen-turns.ts';
import type { Turn, TurnOf } from '../turns/turn.ts';

/** All that a rule says and does about one turn. */
export interface Told extends Said {
  /** The episode, with what of that it remembers. */
  readonly episode: Episode;
  /** Whether anything may come of the episode yet. */
  readonly isKept: boolean;
}

export interface TellOptions {
  readonly rule: Rule;
  readonly watched: Watched;
  readonly slotMs: number;
  readonly gates: Gates;
  /** What the steps of this poll see. */
  readonly kept: Scope;
  /** What a condition sees: the whole list, too. */
  readonly whole: Scope;
}

/** What a rule says and does about one turn. */
export function tell(turn: Turn, options: TellOptions): Told {
  const { episode } = turn;
  switch (turn.kind) {
    case 'waited':
      return told(episode, { decisions: [decide('waiting', whyWaiting(episode, options), { ...options, episode })] });
    case 'missed': {
      // Said once, when it begins: grace may last for many polls.
      const isFirst = episode.misses === 1;
      return told(episode, { decisions: isFirst ? [decide('waiting', whyMissing(episode, options), { ...options, episode })] : [] });
    }
    case 'vanished':
      return { ...told(episode, { decisions: [decide('quiet', whyVanished(episode), { ...options, episode })] }), isKept: false };
    case 'opened':
      return tellOpened(turn, options);
    case 'stayed':
      return tellStayed(turn, options);
    case 'reopened':
      return tellReopened(turn, options);
    case 'closed':
      return tellClosed(episode, options);
  }
}

function tellOpened({ episode, previous }: TurnOf<'opened'>, options: TellOptions): Told {
  const { silence = options.watched.changes.includes('entered') ? undefined : 'the rule speaks only of who leaves' } = episode;
  if (silence === THERE_ALREADY) return told(episode, {});
  if (silence !== undefined) return silent(episode, 'silent', silence, options);
  const answer = ask('entered', { episode, previous }, options);
  if ('refusal' in answer) return silent(episode, 'refused', answer.refusal, options);
  const { firing } = answer;
  const decision = decide('fired', whyOpened(episode), { ...options, episode, details: { firing: firing.id } });
  return told({ ...episode, spokenBy: firing.id }, { firings: [firing], decisions: [decision] });
}

function silent(episode: Episode, outcome: 'silent' | 'refused', silence: string, options: TellOptions): Told {
  return told({ ...episode, silence }, { decisions: [decide(outcome, whyOpened(episode, silence), { ...options, episode })] });
}

function tellStayed({ episode, previous, missedMs }: TurnOf<'stayed'>, options: TellOptions): Told {
  const firings = fireWhile({ ...options, episode, scope: episodeScope(options.kept, { episode, previous }) });
  // The first of them replaces nothing.
  const isNewer = firings.length > 0 && !episode.afresh;
  return told(
    { ...episode, afresh: episode.afresh && firings.length === 0 },
    {
      firings,
      withdrawals: isNewer ? [withdraw('while', 'a newer poll has more to say', episode, options)] : [],
      decisions: missedMs === undefined ? [] : [decide('quiet', whyBack(episode, missedMs), { ...options, episode })],
    },
  );
}

function tellReopened({ episode, previous, missedMs }: TurnOf<'reopened'>, options: TellOptions): Told {
  const firings = fireWhile({ ...options, episode, scope: episodeScope(options.kept, { episode, previous }) });
  return told(
    { ...episode, afresh: firings.length === 0 },
    {
      firings,
      withdrawals: episode.spokenBy === undefined ? [] : [withdraw('finally', 'it goes on', episode, options)],
      decisions: [decide('silent', whyBack(episode, missedMs), { ...options, episode })],
    },
  );
}

function tellClosed(episode: Episode, options: TellOptions): Told {
  const closed = decide('closed', whyClosed(episode, options), { ...options, episode });
  const left = options.watched.changes.includes('left') ? tellLeft(episode, options) : said({});
  const scope = episodeScope(options.kept, { episode, previous: episode.item, kind: 'left' });
  return {
    ...told(episode, {
      firings: [...left.firings, ...fireFinally({ ...options, episode, scope })],
      withdrawals: episode.spokenBy === undefined ? [] : [withdraw('while', 'it is over', episode, options)],
      decisions: [closed, ...left.decisions],
    }),
    // Only what lives can be reopened.
    isKept: options.watched.kind === 'live',
  };
}

function tellLeft(episode: Episode, options: TellOptions): Said {
  const answer = ask('left', { episode, previous: episode.item }, options);
  if ('refusal' in answer) return said({ decisions: [decide('refused', whyLeft(episode, answer.refusal), { ...options, episode })] });
  const { firing } = answer;
  return said({
    firings: [firing],
    decisions: [decide('fired', whyLeft(episode), { ...options, episode, details: { firing: firing.id } })],
  });
}

/** Asks the gates about a firing of `then`. */
function ask(
  kind: ChangeKind,
  { episode, previous }: { readonly episode: Episode; readonly previous: Item | undefined },
  { rule, gates, slotMs, kept, whole }: TellOptions,
): { readonly firing: Firing } | { readonly refusal: string } {
  const refusal = gates.refusal(episodeScope(whole, { episode, previous, kind }), episode.key);
  if (refusal !== undefined) return { refusal };
  const scope = episodeScope(kept, { episode, previous, kind });
  return { firing: fireThen({ rule, episode, slotMs, scope, number: gates.pass(episode.key) }) };
}

function told(episode: Episode, what: Partial<Said>): Told {
  return { ...said(what), episode, isKept: true };
}

function withdraw(section: Section, reason: string, { id }: Episode, { rule }: TellOptions): Withdrawal {
  return { rule: rule.id, episode: id, section, reason };
}
