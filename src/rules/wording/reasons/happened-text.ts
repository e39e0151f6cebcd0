import type { Happened, Standing } from '../../reasons/happened.ts';
import { count, numeral } from '../numbers.ts';

/** Where an item stands, as `#3 with 740 viewers`. */
export function standingText({ rank, viewers }: Standing): string {
  return `#${rank ?? '?'}${viewers === undefined ? '' : ` with ${count(viewers, 'viewer')}`}`;
}

/** What happened to an item, behind its name. */
export function happenedText(happened: Happened): string {
  switch (happened.kind) {
    case 'entered':
      return `entered at ${standingText(happened.standing)}`;
    case 'left':
      return 'left';
    case 'moved':
      return `moved ${happened.went} from #${happened.from ?? '?'} to #${happened.to ?? '?'}`;
    case 'changed':
      return `has ${happened.fields.map(({ field, is, was }) => `another ${field}: ${valueText(is)}, was ${valueText(was)}`).join(', ')}`;
    case 'rose':
    case 'fell': {
      const { kind, was } = happened;
      return `${kind} ${pastText(happened)}${was === undefined ? '' : `, was ${numeral(was)}`}`;
    }
  }
}

/** What an item has become and has to stay for a while, behind its name. */
export function begunText(happened: Happened): string {
  switch (happened.kind) {
    case 'changed':
      return `has ${happened.fields.map(({ field, is }) => `another ${field}: ${valueText(is)}`).join(', ')}`;
    case 'rose':
    case 'fell':
      return `is ${pastText(happened)}`;
    default:
      return happenedText(happened);
  }
}

function pastText({ kind, field, lines, is }: Extract<Happened, { readonly kind: 'rose' | 'fell' }>): string {
  const past = lines.map((line) => `${kind === 'rose' ? 'above' : 'below'} ${numeral(line)}`);
  return `${past.join(' and ')}: ${field} is ${is === undefined ? '?' : numeral(is)}`;
}

function valueText(value: string | undefined): string {
  return value ?? 'nothing';
}
