/** The aim of a row: a limit of the figure, or a limit of the ratio of the figure to the peer. */
export type Aim = { readonly atMost: number } | { readonly atLeast: number } | { readonly ratioAtMost: number };

/** One line of the printed table. */
export interface Row {
  readonly measure: string;
  readonly figure: number;
  readonly unit: string;
  readonly peer?: { readonly name: string; readonly figure: number } | undefined;
  /** Absent: the row only informs. */
  readonly aim?: Aim | undefined;
}

/** The figure divided by the figure of the peer. */
export function ratioOf({ figure, peer }: Row): number | undefined {
  return peer && figure / peer.figure;
}

/** Whether the row reaches its aim; undefined without an aim. */
export function isReached(row: Row): boolean | undefined {
  const { figure, aim } = row;
  if (!aim) return undefined;
  if ('atMost' in aim) return figure <= aim.atMost;
  if ('atLeast' in aim) return figure >= aim.atLeast;
  const ratio = ratioOf(row);
  return ratio !== undefined && ratio <= aim.ratioAtMost;
}

const HEADS = ['measure', 'figure', 'peer', 'ratio', 'aim', ''];

/** The rows as a Markdown table. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [HEADS, ...rows.map(cellsOf)];
  const widths = HEADS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0), 3));
  const [head = '', ...body] = lines.map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [head, rule, ...body].join('\n');
}

function cellsOf(row: Row): readonly string[] {
  const { measure, figure, unit, peer, aim } = row;
  const reached = isReached(row);
  return [
    measure,
    `${formatFigure(figure)} ${unit}`.trim(),
    peer ? `${peer.name} ${formatFigure(peer.figure)}` : '',
    formatRatio(ratioOf(row)),
    aim ? formatAim(aim, unit) : '',
    reached === undefined ? '' : reached ? 'ok' : 'missed',
  ];
}

function formatAim(aim: Aim, unit: string): string {
  if ('ratioAtMost' in aim) return `ratio at most ${formatRatio(aim.ratioAtMost)}`;
  return 'atMost' in aim ? `at most ${formatFigure(aim.atMost)} ${unit}` : `at least ${formatFigure(aim.atLeast)} ${unit}`;
}

function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(2);
}

/** Three digits or more. */
function formatFigure(figure: number): string {
  if (!Number.isFinite(figure)) return '?';
  const size = Math.abs(figure);
  if (Number.isInteger(figure) || size >= 100) return Math.round(figure).toLocaleString('en');
  return figure.toFixed(size >= 10 ? 1 : 2);
}
