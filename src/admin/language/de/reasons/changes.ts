import type { ChangeDetail, Standing } from '#src/rules/reasons/reason.ts';
import { counted, numeral } from './values.ts';

/** The position of an item, for example `#3 mit 740 Zuschauern`. */
export function standing({ rank, viewers }: Standing): string {
  return `#${rank ?? '?'}${withViewers(viewers)}`;
}

function withViewers(viewers: number | undefined): string {
  return viewers === undefined ? '' : ` mit ${counted(viewers, 'Zuschauer', 'Zuschauern')}`;
}

/** The text of a change, after the name. */
export function happened(change: ChangeDetail): string {
  switch (change.kind) {
    case 'entered':
      return change.live ? `ist live${withViewers(change.standing.viewers)}` : `kam auf ${standing(change.standing)} dazu`;
    case 'left':
      return 'ist gegangen';
    case 'moved':
      return `ist von #${change.from ?? '?'} auf #${change.to ?? '?'} ${change.direction === 'up' ? 'gestiegen' : 'gefallen'}`;
    case 'changed':
      return `hat jetzt ${change.fields.map(({ field, value, previous }) => `${field} ${valueText(value)}, vorher ${valueText(previous)}`).join('; ')}`;
    case 'rose':
    case 'fell': {
      const { kind, previous, every } = change;
      const before = previous === undefined ? '' : `, vorher ${numeral(previous)}`;
      if (every !== undefined) return `hat ${reached(change)} erreicht: ${now(change)}${before}`;
      return `ist ${past(change)} ${kind === 'rose' ? 'gestiegen' : 'gefallen'}: ${now(change)}${before}`;
    }
  }
}

/** The text of a change that must persist for a while, after the name. */
export function started(change: ChangeDetail): string {
  switch (change.kind) {
    case 'changed':
      return `hat jetzt ${change.fields.map(({ field, value }) => `${field} ${valueText(value)}`).join('; ')}`;
    case 'rose':
    case 'fell':
      if (change.every !== undefined) return `hat jetzt ${reached(change)} erreicht: ${now(change)}`;
      return `ist jetzt ${past(change)}: ${now(change)}`;
    default:
      return happened(change);
  }
}

type Crossing = Extract<ChangeDetail, { readonly kind: 'rose' | 'fell' }>;

function past({ kind, thresholds }: Crossing): string {
  return thresholds.map((line) => `${kind === 'rose' ? 'über' : 'unter'} ${numeral(line)}`).join(' und ');
}

function reached({ thresholds }: Crossing): string {
  return thresholds.map((line) => numeral(line)).join(' und ');
}

function now({ field, value }: Crossing): string {
  return `${field} ist ${value === undefined ? '?' : numeral(value)}`;
}

function valueText(json: string | undefined): string {
  return json ?? 'nichts';
}
