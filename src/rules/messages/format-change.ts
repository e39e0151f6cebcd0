import type { ChangeDetail, Standing } from '#src/rules/reasons/reason.ts';
import { formatCount, formatNumber } from './format.ts';

/** The standing of an item, after its name, for example `is #3 with 740 viewers`. It may have been there before the rule. */
export function formatStanding(standing: Standing): string {
  if (standing.rank !== undefined) return `is #${standing.rank}${withViewers(standing)}`;
  return standing.viewers === undefined ? 'is in the list' : `is live${withViewers(standing)}`;
}

/** The last standing of an item, for example ` at #3 with 740 viewers`; empty if nothing is known. */
export function formatLastStanding(standing: Standing): string {
  return `${standing.rank === undefined ? '' : ` at #${standing.rank}`}${withViewers(standing)}`;
}

function withViewers({ viewers }: Standing): string {
  return viewers === undefined ? '' : ` with ${formatCount(viewers, 'viewer')}`;
}

/** A change of an item, after its name. */
export function formatChange(happened: ChangeDetail): string {
  switch (happened.kind) {
    case 'entered':
      if (happened.live) return `is live${withViewers(happened.standing)}`;
      return happened.standing.rank === undefined ? 'is new in the list' : `entered${formatLastStanding(happened.standing)}`;
    case 'left':
      return 'left';
    case 'moved':
      return `moved ${happened.direction} from #${happened.from ?? '?'} to #${happened.to ?? '?'}`;
    case 'changed':
      return `has ${happened.fields.map(({ field, value, previous }) => `a new ${field}: ${valueText(value)}, was ${valueText(previous)}`).join(', ')}`;
    case 'rose':
    case 'fell': {
      const { kind, previous, every } = happened;
      return `${every === undefined ? `${kind} ` : ''}${pastText(happened)}${previous === undefined ? '' : `, was ${formatNumber(previous)}`}`;
    }
  }
}

/** A change that still has to hold, after the name of the item. */
export function formatPendingChange(happened: ChangeDetail): string {
  switch (happened.kind) {
    case 'changed':
      return `has ${happened.fields.map(({ field, value }) => `another ${field}: ${valueText(value)}`).join(', ')}`;
    case 'rose':
    case 'fell':
      return `${happened.every === undefined ? 'is' : 'has'} ${pastText(happened)}`;
    default:
      return formatChange(happened);
  }
}

const SIDES = { rose: 'above', fell: 'below' } as const;

function pastText({ kind, field, thresholds, every, value }: Extract<ChangeDetail, { readonly kind: 'rose' | 'fell' }>): string {
  const past = thresholds.map((line) => `${every === undefined ? SIDES[kind] : 'reached'} ${formatNumber(line)}`);
  return `${past.join(' and ')}: ${field} is ${value === undefined ? '?' : formatNumber(value)}`;
}

function valueText(value: string | undefined): string {
  return value ?? 'nothing';
}
