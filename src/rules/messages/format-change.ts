import type { ChangeDetail, Standing } from '../reasons/reason.ts';
import { formatCount, formatNumber } from './format.ts';

/** The standing of an item, for example `#3 with 740 viewers`. */
export function formatStanding(standing: Standing): string {
  return `#${standing.rank ?? '?'}${withViewers(standing)}`;
}

function withViewers({ viewers }: Standing): string {
  return viewers === undefined ? '' : ` with ${formatCount(viewers, 'viewer')}`;
}

/** A change of an item, after its name. */
export function formatChange(happened: ChangeDetail): string {
  switch (happened.kind) {
    case 'entered':
      return happened.live ? `is live${withViewers(happened.standing)}` : `entered at ${formatStanding(happened.standing)}`;
    case 'left':
      return 'left';
    case 'moved':
      return `moved ${happened.went} from #${happened.from ?? '?'} to #${happened.to ?? '?'}`;
    case 'changed':
      return `has ${happened.fields.map(({ field, is, was }) => `a new ${field}: ${valueText(is)}, was ${valueText(was)}`).join(', ')}`;
    case 'rose':
    case 'fell': {
      const { kind, was } = happened;
      return `${kind} ${pastText(happened)}${was === undefined ? '' : `, was ${formatNumber(was)}`}`;
    }
  }
}

/** A change that still has to hold, after the name of the item. */
export function formatPendingChange(happened: ChangeDetail): string {
  switch (happened.kind) {
    case 'changed':
      return `has ${happened.fields.map(({ field, is }) => `another ${field}: ${valueText(is)}`).join(', ')}`;
    case 'rose':
    case 'fell':
      return `is ${pastText(happened)}`;
    default:
      return formatChange(happened);
  }
}

function pastText({ kind, field, lines, is }: Extract<ChangeDetail, { readonly kind: 'rose' | 'fell' }>): string {
  const past = lines.map((line) => `${kind === 'rose' ? 'above' : 'below'} ${formatNumber(line)}`);
  return `${past.join(' and ')}: ${field} is ${is === undefined ? '?' : formatNumber(is)}`;
}

function valueText(value: string | undefined): string {
  return value ?? 'nothing';
}
