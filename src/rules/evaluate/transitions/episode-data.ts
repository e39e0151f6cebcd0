import type { Episode, Span } from '#src/rules/episode.ts';
import { gameOf, numberAt } from '../items/item-fields.ts';
import type { PollInstant } from './transition.ts';

/** The stored data of an episode that only some rules read. */
type EpisodeData = Pick<Episode, 'totals' | 'peaks' | 'spans' | 'nextSpan'>;

const MOST_SPANS = 100;

/** The data of an episode after a poll that shows its item. Empty if the rule reads none of it. */
export function episodeData(
  episode: Episode,
  { watched: { tracks, settleMs }, slotMs }: Pick<PollInstant, 'watched' | 'slotMs'>,
): EpisodeData | undefined {
  if (!tracks) return undefined;
  return {
    ...(tracks.average && { totals: totalsOf(episode, tracks.average) }),
    ...(tracks.atPeak && { peaks: peaksOf(episode, tracks.atPeak, slotMs) }),
    ...(tracks.spans && spansOf(episode, { slotMs, settleMs })),
  };
}

function totalsOf({ item, totals = {} }: Episode, fields: readonly string[]): Episode['totals'] {
  const added = fields.flatMap((field) => {
    const value = numberAt(item, field);
    const { sum = 0, count = 0 } = totals[field] ?? {};
    return value === undefined ? [] : [[field, { sum: sum + value, count: count + 1 }] as const];
  });
  return { ...totals, ...Object.fromEntries(added) };
}

function peaksOf({ item, peak, peaks = {} }: Episode, fields: readonly string[], slotMs: number): Episode['peaks'] {
  const reached = fields.filter((field) => {
    const value = numberAt(item, field);
    const before = peaks[field] && numberAt(peaks[field].item, field);
    // A rule that was edited does not know the item of an earlier peak.
    return value !== undefined && value === peak[field] && (before === undefined || value > before);
  });
  return reached.length === 0 ? peaks : { ...peaks, ...Object.fromEntries(reached.map((field) => [field, { atMs: slotMs, item }])) };
}

/** The spans of the games of an item. A game counts after it held for `settle`, from its first poll on. */
function spansOf(
  { item, spans, nextSpan, firstSeenMs, startedMs }: Episode,
  { slotMs, settleMs }: { readonly slotMs: number; readonly settleMs: number },
): Pick<Episode, 'spans' | 'nextSpan'> {
  const value = gameOf(item);
  if (!spans) return { spans: begun(value, firstSeenMs === slotMs ? startedMs : slotMs), nextSpan: undefined };
  const last = spans.at(-1);
  const current = last?.toMs === undefined ? last : undefined;
  if (value === current?.value) return { spans, nextSpan: undefined };
  const sinceMs = nextSpan && nextSpan.value === value ? nextSpan.sinceMs : slotMs;
  if (slotMs - sinceMs < settleMs) return { spans, nextSpan: { value, sinceMs } };
  const ended = current ? [...spans.slice(0, -1), { ...current, toMs: sinceMs }] : spans;
  return { spans: [...ended, ...begun(value, sinceMs)].slice(-MOST_SPANS), nextSpan: undefined };
}

function begun(value: string | undefined, fromMs: number): readonly Span[] {
  return value === undefined ? [] : [{ value, fromMs }];
}
