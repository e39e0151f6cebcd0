import { ToolError, type Tool } from '#src/clients/assistant/tools.ts';
import { CursorError, PlatformError, UnsupportedOperation, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { PublicOptions } from '#src/clients/operation/audience.ts';
import { perform } from '#src/clients/operation/client.ts';
import { Container } from '#src/clients/paging/container.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { compact } from './compact.ts';
import { OFFERED, type OfferedRead } from './offered-reads.ts';
import { inputSchema, readInput } from './read-input.ts';
import { requirePublic, type OperationClients } from './require-public.ts';

/** The largest result in characters. */
const MOST_CHARS = 7_000;

export interface ReadToolsOptions {
  readonly clients: OperationClients;
  readonly accounts: Accounts;
  readonly log: Log;
}

/** The public reads of all platforms that have an account, as tools: `streaming.getStreams` is `streaming_getStreams`. */
export function readTools(options: ReadToolsOptions): readonly Tool[] {
  return Object.entries(OFFERED).flatMap(([verb, offered]) => {
    const [client = ''] = verb.split('.');
    const { all = [], defaults = [] } = options.accounts[client] ?? {};
    const accounts = defaults.length > 0 ? defaults : all;
    return accounts.length === 0 ? [] : [readTool(verb, offered, { ...options, names: accounts })];
  });
}

function readTool(
  verb: string,
  { about, of }: OfferedRead,
  { clients, log, names }: ReadToolsOptions & { readonly names: readonly string[] },
): Tool {
  const known = catalogue.get(verb);
  if (!known || known.kind === 'write') throw new Error(`${verb} is not a read`);
  // The schema is made at the first question, because most processes never need it.
  let parameters: JsonObject | undefined;
  return {
    name: verb.replace('.', '_'),
    description: about,
    get parameters() {
      return (parameters ??= inputSchema(known, names));
    },

    async run(args, { signal }) {
      const input = readInput(args, names);
      if (!input) throw new ToolError(`the input must be an object, and its account one of ${names.join(', ')}`);
      try {
        if (of) await requirePublic(of, input, { clients, signal });
        const { client, declared } = clients.operationOf(verb, input.account);
        // The operator pays for each page, or it is one of the searches of a day.
        const isBilled = (client.billsReads || client.limitsSearches) && input.params['pages'] !== undefined;
        const found = await perform(client, declared, isBilled ? { ...input.params, pages: 1 } : input.params, { signal });
        return { text: formatResult(found, { inCommunity: of?.subject === 'community' }) };
      } catch (error) {
        signal.throwIfAborted();
        if (isForAll(error)) throw new ToolError(error.message, { cause: error });
        if (!(error instanceof ToolError)) log.error({ verb, error }, 'a tool of the assistant failed');
        throw error;
      }
    },
  };
}

/** The result as JSON, with as many items of a list as fit. */
function formatResult(found: unknown, options: PublicOptions): string {
  const isList = found instanceof Container;
  const items: readonly unknown[] | undefined = isList ? found.items : Array.isArray(found) ? found : undefined;
  if (!items) return JSON.stringify(compact(found, options) ?? 'It is not public.');
  const fitting: Json[] = [];
  let chars = 0;
  for (const item of items) {
    const small = compact(item, options);
    if (small === undefined) continue;
    chars += JSON.stringify(small).length + 1;
    if (chars > MOST_CHARS) break;
    fitting.push(small);
  }
  const hasMore = fitting.length < items.length || (isList && found.hasNext);
  return JSON.stringify({ items: fitting, read: items.length, hasMore });
}

/** Whether the message of an error is safe to show: it contains no secret. */
function isForAll(error: unknown): error is Error {
  return [PlatformError, ValidationError, UnsupportedOperation, UnsupportedParameter, CursorError].some((kind) => error instanceof kind);
}
