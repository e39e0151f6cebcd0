import type { ChangeDetail, Standing } from '#src/rules/reasons/reason.ts';
import { counted, numeral } from './values.ts';

/** The standing of an item, after its name, for example `steht auf #3 mit 740 Zuschauern`. It may have been there before the rule. */
export function standing({ rank, viewers }: Standing): string {
  if (rank !== undefined) return `steht auf #${rank}${withViewers(viewers)}`;
  return viewers === undefined ? 'steht in der Liste' : `ist live${withViewers(viewers)}`;
}

/** The last standing of an item, for example ` auf #3 mit 740 Zuschauern`; empty if nothing is known. */
export function lastStanding({ rank, viewers }: Standing): string {
  return `${rank === undefined ? '' : ` auf #${rank}`}${withViewers(viewers)}`;
}

function withViewers(viewers: number | undefined): string {
  return viewers === undefined ? '' : ` mit ${counted(viewers, 'Zuschauer', 'Zuschauern')}`;
}

/** The text of a change, after the name. */
export function happened(change: ChangeDetail): string {
  switch (change.kind) {
    case 'entered':
      if (change.live) return `ist live${withViewers(change.standing.viewers)}`;
      return change.standing.rank === undefined ? 'ist neu in der Liste' : `kam${lastStanding(change.standing)} dazu`;
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
