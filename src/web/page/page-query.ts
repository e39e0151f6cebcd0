/** What a reader of the page sees. */
export interface PageView {
  readonly query: PageQuery;
  /** Whether the reader may act on rules and deliveries. */
  readonly canAct: boolean;
}

/** The shown part of the rules, as in the address of the page. */
export interface PageQuery {
  /** A part of the name, the description or the file of a rule; absent for all rules. */
  readonly search?: string | undefined;
  /** The number of the page of rules, from 1. */
  readonly page: number;
}

const MAX_SEARCH_LENGTH = 200;

/** Reads the query of the address. Any other value is the first page of all rules, because people edit addresses. */
export function readPageQuery({ rule = '', page = '' }: Readonly<Record<string, string>>): PageQuery {
  const search = rule.trim().slice(0, MAX_SEARCH_LENGTH).toWellFormed();
  return { search: search === '' ? undefined : search, page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1 };
}

/** The address of the page with these rules. */
export function addressOf({ search, page }: PageQuery): string {
  const query = new URLSearchParams({ ...(search !== undefined && { rule: search }), ...(page > 1 && { page: String(page) }) });
  return `/${query.size === 0 ? '' : `?${query.toString()}`}#rules`;
}
