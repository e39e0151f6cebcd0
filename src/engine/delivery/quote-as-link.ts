import { PlatformError, UnsupportedParameter } from '#src/errors.ts';
import type { AnyClient } from '#src/clients/operation/client.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import type { SocialAsync } from '#src/clients/social/social.ts';

/** The longest address of a post. */
const LONGEST_ADDRESS = `https://${'social.example.org'}/@${'a'.repeat(30)}/${'1'.repeat(19)}`;

/** A client, or what is known of it without a connection. */
type QuotingClient = Pick<AnyClient, 'textLimit' | 'capabilities'>;

/** Whether a quote may become a link, because the platform has no quotes or restricts them. */
function mayLackQuotes({ capabilities }: QuotingClient): boolean {
  const quote = capabilities['createPost']?.parameters?.['quote'];
  return quote?.support === 'unsupported' || quote?.support === 'gated';
}

/** The longest text of a post that a step creates. */
export function textLimitOf(client: QuotingClient | undefined, step: { readonly with: JsonObject }): TextLimit | undefined {
  return step.with['quote'] === undefined ? client?.textLimit : limitBesideQuote(client);
}

/** The longest text of a post with a quote, because the text may need room for a link. */
export function limitBesideQuote(client: QuotingClient | undefined): TextLimit | undefined {
  const limit = client?.textLimit;
  if (!client || !limit || !mayLackQuotes(client)) return limit;
  return { ...limit, most: limit.most - limit.lengthOf(`\n${LONGEST_ADDRESS}`) };
}

/** Whether the operation failed before any request because the platform has no quotes. */
export function hasNoQuotes(error: unknown): boolean {
  return error instanceof UnsupportedParameter && error.parameter === 'quote';
}

/** The same post with a link instead of the quote. */
export async function quoteAsLink(social: SocialAsync, params: JsonObject, signal: AbortSignal | undefined): Promise<JsonObject> {
  const { quote } = params;
  return typeof quote === 'string' ? withLink(params, await addressOf(social, quote, signal)) : params;
}

function withLink({ quote: _quote, text, ...rest }: JsonObject, address: string): JsonObject {
  return { ...rest, text: `${typeof text === 'string' ? text : ''}\n${address}`.trimStart() };
}

/** As `quoteAsLink`, without a request. A quote that is no address is left out. */
export function quoteAsKnownLink({ quote, ...params }: JsonObject): JsonObject {
  return isAddress(quote) ? withLink(params, quote) : params;
}

function isAddress(quote: Json | undefined): quote is string {
  return typeof quote === 'string' && /^https?:\/\//u.test(quote);
}

async function addressOf(social: SocialAsync, quote: string, signal: AbortSignal | undefined): Promise<string> {
  if (isAddress(quote)) return quote;
  const { url, platform } = await social.postDetail(quote, { signal });
  if (url !== undefined) return url;
  throw new PlatformError(`${platform}: the post that is to be shown has no address.`, { platform, fault: 'missing' });
}
