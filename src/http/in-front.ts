import type { Answer } from './exchange.ts';

export interface Expected {
  /** Whether the platform says in JSON what it does not do, or says nothing: a 403 or 404 in other words is then not its own. */
  readonly refusesInJson?: boolean | undefined;
  /** Whom it was asked of, as `api.example.org`. */
  readonly host?: string | undefined;
}

/** What a platform says for good, and what stands in front of it for as long as the platform is away. */
const FINAL: ReadonlySet<number> = new Set([403, 404]);

/** What to do about an answer that is not the platform's, and so no end of the matter; undefined where it may be its own. */
export function adviceInFront({ refusesInJson, host = 'this' }: Expected, { status, headers, text }: Answer): string | undefined {
  if (!FINAL.has(status)) return undefined;
  // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
  if (headers['cf-mitigated'] !== undefined) return CHALLENGED;
  if (!refusesInJson || text.trim() === '' || isJson(text)) return undefined;
  return `that is not the platform's word: something in front of it says so, or ${host} is not the address of the API; try again later.`;
}

const CHALLENGED =
  'Cloudflare, in front of it, lets only browsers through; try again later, or ask who runs the server to let this machine through.';

/** An object or a list: what else says so may be no more than a number. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
