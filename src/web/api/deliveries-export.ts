import { DeliveryAnswer, documented } from '#src/admin/queries/answers.ts';
import type { DeliveryView } from '#src/admin/queries/records.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';

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

/** A format of the export. The text is before, between and after the deliveries. */
interface Format {
  readonly type: string;
  readonly begin: string;
  readonly toText: (delivery: DeliveryView) => string;
  readonly between: string;
  readonly end: string;
}

const FORMATS: Readonly<Record<'csv' | 'json', Format>> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    begin: `${Object.keys(COLUMNS).join(',')}\r\n`,
    toText: toRow,
    between: '',
    end: '',
  },
  // An array that is cut off is no JSON, so that readers notice an incomplete export.
  json: {
    type: 'application/json',
    begin: '[',
    toText: (delivery) => `\n${JSON.stringify(documented(DeliveryAnswer, delivery))}`,
    between: ',',
    end: '\n]\n',
  },
};

interface ExportOptions {
  readonly format: keyof typeof FORMATS;
  readonly filters: Omit<Parameters<ApiQueries['deliveries']>[0], 'cursor' | 'limit'>;
}

/** All deliveries that the filters find, newest first, as a file. One page of them is in memory. An error of the first page rejects. */
export async function deliveriesExport(apiQueries: Pick<ApiQueries, 'deliveries'>, { format, filters }: ExportOptions): Promise<Response> {
  const { type } = FORMATS[format];
  const parts = partsOf(apiQueries, FORMATS[format], filters);
  const first = await parts.next();
  const texts = async function* () {
    if (first.done !== true) yield first.value;
    yield* parts;
  };
  return new Response(ReadableStream.from(texts()).pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="deliveries.${format}"` },
  });
}

async function* partsOf(
  apiQueries: Pick<ApiQueries, 'deliveries'>,
  { begin, toText, between, end }: Format,
  filters: ExportOptions['filters'],
): AsyncGenerator<string> {
  let before = begin;
  let cursor: string | undefined;
  do {
    const page = await apiQueries.deliveries({ ...filters, cursor, limit: PAGE });
    let part = '';
    for (const delivery of page.items) {
      part += before + toText(delivery);
      before = between;
    }
    if (part !== '') yield part;
    cursor = page.cursor;
  } while (cursor !== undefined);
  // Without a delivery, nothing is written yet.
  yield (before === begin ? begin : '') + end;
}

function toRow(delivery: DeliveryView): string {
  return `${Object.values(COLUMNS)
    .map((cellOf) => toCell(cellOf(delivery)))
    .join(',')}\r\n`;
}

/**
 * The starts of cells. In languages with a decimal comma, for example German, spreadsheets split rows at semicolons and ignore quotes within a
 * cell: each line and each part behind a semicolon begins a cell. Some spreadsheets read the wide forms of the signs too.
 */
const CELL_START = /^(?=[\t\r])|(^|[;\t\r\n]"*)(?=[=+\-@＝＋－＠])/gu;

/** Spreadsheets run a cell that begins like a formula, and anyone on a platform can write such a text. */
function toCell(value: string | number | undefined = ''): string {
  const text = typeof value === 'string' ? value.replaceAll(CELL_START, "$1'") : String(value);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
