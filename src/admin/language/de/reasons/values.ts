import type { DeliveryError } from '#src/engine/delivery/delivery-error.ts';
import type { FalseClause, Falsehood } from '#src/rules/reasons/falsehood.ts';
import { pluralIn } from '../../plural.ts';

const plural = pluralIn('de');
const COUNT = new Intl.NumberFormat('de');

const UNITS = [
  ['Std.', 3_600_000],
  ['Min.', 60_000],
  ['Sek.', 1_000],
] as const;
const DAY_MS = 86_400_000;

/** A number with separators. */
export function numeral(n: number): string {
  return COUNT.format(n);
}

/** A count, for example `1 Eintrag` or `1.200 Einträge`. */
export function counted(n: number, one: string, many: string): string {
  return `${COUNT.format(n)} ${plural(n, one, many)}`;
}

/** A duration in its two largest units, for example `2 Std. 5 Min.`. */
export function span(ms: number): string {
  return inUnits(ms, 'Tage');
}

/** A duration in the dative case, for the text after `vor` and `seit`. */
export function spanAgo(ms: number): string {
  return inUnits(ms, 'Tagen');
}

function inUnits(ms: number, days: string): string {
  let restMs = Math.max(0, Math.round(ms / 1_000) * 1_000);
  const parts: string[] = [];
  const count = Math.floor(restMs / DAY_MS);
  if (count > 0) parts.push(counted(count, 'Tag', days));
  restMs -= count * DAY_MS;
  for (const [unit, unitMs] of UNITS) {
    const units = Math.floor(restMs / unitMs);
    if (units > 0) parts.push(`${units} ${unit}`);
    restMs -= units * unitMs;
  }
  return parts.slice(0, 2).join(' ') || '0 Sek.';
}

/** A list, for example `a, b und c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} und ${parts.at(-1)}`;
}

/** The reason why a condition is false, with its values. */
export function falsehood(reason: Falsehood): string {
  if (reason.kind === 'error') return `${reason.source} lässt sich nicht auswerten („${reason.error}“)`;
  return reason.clauses.map(clause).join(' und ');
}

function clause({ source, values }: FalseClause): string {
  const known = values.map(({ expression, value = 'nicht bekannt' }) => `${expression} ist ${value}`);
  return `${source} trifft nicht zu${known.length > 0 ? ` (${known.join(', ')})` : ''}`;
}

const FAULTS: Readonly<Record<DeliveryError['fault'], string>> = {
  unreachable: 'nicht erreichbar',
  unanswered: 'keine Antwort',
  unavailable: 'nicht verfügbar',
  rateLimited: 'zu viele Anfragen',
  quotaExhausted: 'das Kontingent ist aufgebraucht',
  unauthorized: 'die Anmeldung des Kontos gilt nicht mehr',
  forbidden: 'dort nicht erlaubt',
  missing: 'dort nicht gefunden',
  rejected: 'dort abgelehnt',
  duplicate: 'laut der Plattform schon da',
  malformed: 'unverständliche Antwort',
  unsupported: 'dort nicht unterstützt',
  invalid: 'die Angaben sind ungültig',
  expression: 'ein Ausdruck der Regel lässt sich nicht auswerten',
  defect: 'ein Fehler in Fanfare; der Grund steht im Protokoll',
};

/** A fault with the original error message, which is not translated. */
export function fault(kind: DeliveryError['fault'], message: string): string {
  const texts = message.replaceAll(`${kind}: `, '');
  return kind === 'defect' ? FAULTS[kind] : `${FAULTS[kind]} („${texts}“)`;
}
