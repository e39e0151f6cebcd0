import type { Decision } from '../../decision.ts';
import type { Episode } from '../../episode.ts';
import type { Absent, Reason, Unchanged, Unfit } from '../../reasons/reason.ts';
import type { Look, LookOptions, ReadList } from '../look.ts';
import { wasThereAlready } from '../turns/seen-turns.ts';
import type { Sifted } from '../turns/sift-items.ts';
import { namedOf, nameOf } from './item-words.ts';
import { missingOf } from './reasons.ts';
import { decide } from './said.ts';

/** Of so many it is told how long they are missing. */
const MISSING_NAMED = 3;

/** The decisions, and those about the list as a whole: what the first look found, whom `where` refused, and that nothing happened. */
export function withSummary(decisions: readonly Decision[], options: LookOptions & { readonly look: Look }): readonly Decision[] {
  const { rule, slotMs, state, look } = options;
  const found = look.turns.filter(({ kind, episode }) => kind === 'opened' && wasThereAlready(episode)).map(({ episode }) => episode);
  const first: Reason = { kind: 'baseline', isNew: state.memory.fingerprint === undefined, found: namedOf(found) };
  const baseline = found.length > 0 ? [decide('silent', first, { rule, slotMs, details: { items: found.map(({ key }) => key) } })] : [];
  const unfit = look.sifted.refused > 0 ? unfitIn(look.sifted) : undefined;
  if (found.length > 0 || decisions.length > 0) {
    return [...baseline, ...decisions, ...(unfit ? [decide('quiet', unfit, { rule, slotMs })] : [])];
  }
  return [decide('quiet', { ...whyUnchanged(options), ...(unfit && { unfit }) }, { rule, slotMs })];
}

/** Whom `where` refused, by the best of them. */
function unfitIn({ refused, named }: Sifted): Unfit {
  return { kind: 'unfit', count: refused, named: named.map(({ item, key, because }) => ({ name: nameOf(item, key), because })) };
}

function whyUnchanged(options: LookOptions & { readonly look: Look }): Unchanged {
  const { watched, list, look } = options;
  const { below, out } = look.sifted;
  const isRefused = ({ key }: Episode): boolean => out.get(key) !== undefined;
  const missed = look.turns.filter(({ kind }) => kind === 'missed').map(({ episode }) => episode);
  const [refused, missing] = [missed.filter(isRefused), missed.filter((episode) => !isRefused(episode))];
  const cut = cutOf(watched.kind, list);
  return {
    kind: 'unchanged',
    read: list.items.length,
    followed: look.turns.filter(({ kind }) => kind === 'stayed').length,
    ...(below > 0 && watched.take !== undefined && { below: { count: below, take: watched.take } }),
    ...(missing.length > 0 && { missing: absentOf(missing, options) }),
    ...(refused.length > 0 && { noLongerFit: absentOf(refused, options) }),
    ...(cut && { cut }),
  };
}

function absentOf(episodes: readonly Episode[], options: Pick<LookOptions, 'watched' | 'slotMs'>): Absent {
  const first = episodes.slice(0, MISSING_NAMED);
  return {
    count: episodes.length,
    named: first.map((episode) => ({ name: nameOf(episode.item, episode.key), missing: missingOf(episode, options) })),
  };
}

function cutOf(kind: LookOptions['watched']['kind'], { complete, more }: ReadList): Unchanged['cut'] {
  if (kind === 'feed') return undefined;
  if (!complete) return 'short';
  return more && (kind === 'live' || kind === 'set') ? 'pages' : undefined;
}
