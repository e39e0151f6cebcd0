import type { DeliveryView } from '#src/admin/queries/records.ts';
import type { Views } from '#src/admin/queries/views.ts';

const MOST_ROWS = 10_000;
const PAGE = 100;

const COLUMNS: Readonly<Record<string, (delivery: DeliveryView) => string | number | undefined>> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  sentAt: ({ sentAt }) => sentAt?.toISOString(),
  rule: ({ rule }) => rule,
  item: ({ item }) => item?.name,
  do: ({ do: verb }) => verb,
  account: ({ account }) => account,
  state: ({ state }) => state,
  attempts: ({ attempts }) => attempts,
  text: ({ text }) => text,
  url: ({ result }) => (typeof result?.['url'] === 'string' ? result['url'] : undefined),
  message: ({ message }) => message,
};

/** The first deliveries that the filters find, as CSV. */
export async function deliveriesCsv(
  views: Pick<Views, 'deliveries'>,
  filters: Omit<Parameters<Views['deliveries']>[0], 'cursor' | 'limit'>,
) {
  const lines = [Object.keys(COLUMNS).join(',')];
  let cursor: string | undefined;
  do {
    const page = await views.deliveries({ ...filters, cursor, limit: PAGE });
    for (const delivery of page.items)
      lines.push(
        Object.values(COLUMNS)
          .map((cellOf) => toCell(cellOf(delivery)))
          .join(','),
      );
    cursor = page.cursor;
  } while (cursor !== undefined && lines.length <= MOST_ROWS);
  return `${lines.join('\r\n')}\r\n`;
}

/** Spreadsheets run a text that begins like a formula, and anyone on a platform can write such a text. */
function toCell(value: string | number | undefined = ''): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/u.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
