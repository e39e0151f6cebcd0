import { runOf, type HistoryLine } from '../history.ts';
import { formatHeading, formatInstant, type Violation } from './violations.ts';

/** The rest of a run is kept in its folder, which a machine for tests deletes. */
const SHOWN_VIOLATIONS = 3;
const NEAR_MS = 60_000;

/** Rows of the database, by table. */
export type SavedTables = Readonly<Record<string, readonly unknown[]>>;

/** Everything that may explain the first violations: the lines of the history at that time, and the rows of the database about them. */
export function explainViolations(
  violations: readonly Violation[],
  { history, tables = {} }: { readonly history: readonly HistoryLine[]; readonly tables?: SavedTables | undefined },
): readonly string[] {
  return violations
    .slice(0, SHOWN_VIOLATIONS)
    .flatMap((violation) => [
      `history of ${formatHeading(violation)}`,
      ...linesNear(violation, history).map((line) => `    ${formatLine(line)}`),
      ...Object.entries(tables).flatMap(([name, rows]) => rowsAbout(violation, { rows, history }).map((row) => `    ${name}: ${row}`)),
    ]);
}

function linesNear(violation: Violation, history: readonly HistoryLine[]): readonly HistoryLine[] {
  const { fromMs, toMs } = violation;
  const { platform } = runOf(history).accounts.find(({ name }) => name === violation.account) ?? {};
  const ids = new Set<number>();

  function concerns(line: HistoryLine): boolean {
    switch (line.kind) {
      case 'run':
        return false;
      case 'order':
        return line.user === violation.item;
      case 'fault': {
        const onPlatform = line.fault === 'platform' ? line.detail?.split(' ')[0] : undefined;
        const isFound = onPlatform === undefined || onPlatform === platform || onPlatform === 'twitch';
        if (isFound) ids.add(line.id);
        return isFound;
      }
      case 'healed':
        return ids.has(line.id);
      case 'sent':
        return line.rule === violation.rule && line.account === violation.account;
      case 'lane':
        return line.account === violation.account;
      default:
        return true;
    }
  }
  return history.filter((line) => concerns(line) && line.atMs > fromMs - NEAR_MS && line.atMs < toMs + NEAR_MS);
}

function formatLine({ atMs, kind, ...rest }: HistoryLine): string {
  const parts = Object.entries(rest).map(
    ([name, value]) => `${name}=${name.endsWith('Ms') && Number(value) > 1e12 ? formatInstant(Number(value)) : value}`,
  );
  return [formatInstant(atMs), kind, ...parts].join(' ');
}

/** The rows of a table about the rule of a violation and its person, or its time if the rule watches no one. */
function rowsAbout(
  { rule, item, fromMs, toMs }: Violation,
  { rows, history }: { rows: readonly unknown[]; history: readonly HistoryLine[] },
): readonly string[] {
  if (rule === undefined || item === undefined) return [];
  const isSlot = runOf(history).rules.some(({ id, shape }) => id === rule && shape === 'slot');
  const isNear = (ms: number): boolean => ms > fromMs - NEAR_MS && ms < toMs + NEAR_MS;
  const texts = rows.map((row) => JSON.stringify(row)).filter((text) => text.includes(`"${rule}"`));
  return texts.filter((text) => (isSlot ? text.match(/\d{13}/g)?.some((ms) => isNear(Number(ms))) : text.includes(item)));
}
