import type { Decision } from '../../decision.ts';
import type { Episode } from '../../episode.ts';
import type { Look, LookOptions, ReadList } from '../look.ts';
import { THERE_ALREADY } from '../turns/seen-turns.ts';
import type { Sifted } from '../turns/sift-items.ts';
import { missingText } from './reasons.ts';
import { decide } from './said.ts';
import { count, nameOf, numeral, several } from './wording.ts';

/** The decisions, and those about the list as a whole: what the first look found, whom `where` refused, and that nothing happened. */
export function withSummary(decisions: readonly Decision[], options: LookOptions & { readonly look: Look }): readonly Decision[] {
  const { rule, slotMs, state, look } = options;
  const found = look.turns
    .filter(({ kind, episode }) => kind === 'opened' && episode.silence === THERE_ALREADY)
    .map(({ episode }) => episode);
  const first = whyBaseline(found, { isNew: state.memory.fingerprint === undefined });
  const baseline = found.length > 0 ? [decide('silent', first, { rule, slotMs, details: { items: found.map(({ key }) => key) } })] : [];
  const refused = look.sifted.refused > 0 ? [whyRefused(look.sifted)] : [];
  if (found.length > 0 || decisions.length > 0) {
    return [...baseline, ...decisions, ...refused.map((reason) => decide('quiet', reason, { rule, slotMs }))];
  }
  return [decide('quiet', [whyQuiet(options), ...refused].join('; '), { rule, slotMs })];
}

/** What is said of those that were there at the first look. */
function whyBaseline(episodes: readonly Episode[], { isNew }: { readonly isNew: boolean }): string {
  const names = several(episodes.map(({ key, item }) => nameOf(item, key)));
  const look = isNew ? 'the first look' : 'the first look since the rule watches something else';
  return `${look}: ${count(episodes.length, 'item')} there already, followed without a word: ${names}`;
}

/** Whom `where` refused, by the best of them. */
function whyRefused({ refused, named }: Sifted): string {
  const samples = named.map(({ item, key, because }) => `${nameOf(item, key)}: ${because}`).join('; ');
  const more = refused > named.length ? `; and ${numeral(refused - named.length)} more` : '';
  return `${count(refused, 'item does', 'items do')} not fit where: ${samples}${more}`;
}

/** What is said of a list in which nothing happened. */
function whyQuiet(options: LookOptions & { readonly look: Look }): string {
  const { watched, slotMs, list, look } = options;
  const followed = look.turns.filter(({ kind }) => kind === 'stayed').length;
  const missing = look.turns
    .filter(({ kind }) => kind === 'missed')
    .map(({ episode }) => `${nameOf(episode.item, episode.key)} (${missingText(episode, { watched, slotMs })})`);
  const gone = missing.length > 0 ? `, ${missing.length} still missing: ${several(missing, 3)}` : '';
  const below = look.sifted.below > 0 ? `, ${look.sifted.below} below the first ${watched.take}` : '';
  return `nothing changed: ${count(list.items.length, 'item')} read, ${followed} of them followed${below}${gone}${cutText(watched.kind, list)}`;
}

function cutText(kind: LookOptions['watched']['kind'], { complete, more }: ReadList): string {
  if (kind === 'feed') return '';
  if (!complete) return '; the list was cut short and says nothing of who is missing';
  return more && (kind === 'live' || kind === 'set') ? '; pages were left unread, so the list says nothing of who is missing' : '';
}
