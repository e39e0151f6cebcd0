import { readFileSync } from 'node:fs';

/** The end of the deliveries of each point, by action. */
export type ActionTable = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads the table of the page about actions. */
export function readActionTable(): ActionTable {
  const page = readFileSync('docs/explanation/actions.md', 'utf8');
  const [, table = ''] = /<!-- actions -->\n\n(\|[\s\S]*?)\n\n/u.exec(page) ?? [];
  const [head = [], , ...rows] = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const actions = head.slice(1);
  return new Map(rows.map(([point = '', ...cells]) => [point, new Map(actions.map((action, index) => [action, cells[index] ?? '']))]));
}
