import type { Happened, Standing } from '#src/rules/reasons/happened.ts';
import { counted, numeral } from './quantities.ts';

/** Wo jemand steht, wie `#3 mit 740 Zuschauern`. */
export function standing({ rank, viewers }: Standing): string {
  return `#${rank ?? '?'}${viewers === undefined ? '' : ` mit ${counted(viewers, 'Zuschauer', 'Zuschauern')}`}`;
}

/** Was mit jemandem passiert ist, hinter dem Namen. */
export function happened(change: Happened): string {
  switch (change.kind) {
    case 'entered':
      return `kam dazu auf ${standing(change.standing)}`;
    case 'left':
      return 'ging';
    case 'moved':
      return `ist von #${change.from ?? '?'} auf #${change.to ?? '?'} ${change.went === 'up' ? 'gestiegen' : 'gefallen'}`;
    case 'changed':
      return `hat jetzt ${change.fields.map(({ field, is, was }) => `${field} ${value(is)}, vorher ${value(was)}`).join('; ')}`;
    case 'rose':
    case 'fell': {
      const { kind, was } = change;
      const before = was === undefined ? '' : `, vorher ${numeral(was)}`;
      return `ist ${past(change)} ${kind === 'rose' ? 'gestiegen' : 'gefallen'}: ${now(change)}${before}`;
    }
  }
}

/** Was jemand geworden ist und eine Weile bleiben muss, hinter dem Namen. */
export function begun(change: Happened): string {
  switch (change.kind) {
    case 'changed':
      return `hat jetzt ${change.fields.map(({ field, is }) => `${field} ${value(is)}`).join('; ')}`;
    case 'rose':
    case 'fell':
      return `ist jetzt ${past(change)}: ${now(change)}`;
    default:
      return happened(change);
  }
}

type Crossing = Extract<Happened, { readonly kind: 'rose' | 'fell' }>;

function past({ kind, lines }: Crossing): string {
  return lines.map((line) => `${kind === 'rose' ? 'über' : 'unter'} ${numeral(line)}`).join(' und ');
}

function now({ field, is }: Crossing): string {
  return `${field} ist ${is === undefined ? '?' : numeral(is)}`;
}

function value(json: string | undefined): string {
  return json ?? 'nichts';
}
